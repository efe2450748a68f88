// Guards sealed secrets: each can be opened only with its key, for its purpose, and unchanged. A replaced key still
// opens secrets until it is removed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealer, type Sealer } from '../../../src/secrets/seal.ts'
import { openSecrets, resealed, sealSecret } from '../../../src/secrets/stored.ts'

const [OLD, NEW] = ['an-old-key-of-32-characters-or-so', 'a-new-key-of-32-characters-or-so!']

function of(...keys: readonly string[]): Sealer {
  const made = sealer(keys)
  if (!made) throw new Error('no key')
  return made
}

describe('a sealed text', () => {
  it('can be opened only for what it belongs to, and looks different each time', async () => {
    const seals = of(OLD)
    const about = ['secret', 'acme', 'TOKEN']
    const [one, two] = [await seals.seal('value', about), await seals.seal('value', about)]
    expect(one).not.toBe(two)
    expect(await seals.open(one, about)).toEqual({ ok: true, value: 'value' })
    for (const other of [
      ['secret', 'acme'],
      ['secret', 'acme', 'TOKEN2'],
      ['secret', 'acmeTOKEN'],
      ['secret', 'acme,TOKEN'],
    ])
      expect(await seals.open(one, other)).toEqual({ ok: false, error: 'broken' })
  })

  it('that was changed anywhere, or is invalid, is never opened', async () => {
    const seals = of(OLD)
    const sealed = await seals.seal('value', ['a'])
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      expect((await seals.open(sealed.slice(0, at) + other + sealed.slice(at + 1), ['a'])).ok).toBe(false)
    }
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect((await seals.open(text, ['a'])).ok).toBe(false)
      }),
    )
  })

  it('needs its key', async () => {
    const sealed = await of(OLD).seal('value', ['a'])
    expect(await of(NEW).open(sealed, ['a'])).toEqual({ ok: false, error: 'unknown_key' })
    expect(await of(NEW, OLD).open(sealed, ['a'])).toEqual({ ok: true, value: 'value' })
    expect(sealer([])).toBeNull()
  })
})

describe('a secret of a workspace', () => {
  const secret = { name: 'TOKEN', host: 'api.example.com', value: 'the value' }
  const output = async (
    seals: Sealer | null,
    workspace: string,
    host: string,
    names = ['TOKEN'],
  ): Promise<string> => {
    const row = await sealSecret(of(OLD), 'acme', secret)
    const opened = await openSecrets(seals, workspace, [row], names, host)
    return opened.ok ? [...opened.value].join() : `${opened.error.code}: ${opened.error.detail}`
  }

  it('is opened for its own host, name and workspace', async () => {
    expect(await output(of(OLD), 'acme', 'api.example.com')).toBe('TOKEN,the value')
    expect(await output(of(OLD), 'acme', 'example.com')).toContain(
      'forbidden: The secret TOKEN cannot be sent to',
    )
    expect(await output(of(OLD), 'acme', 'api.example.com', ['OTHER'])).toContain(
      'not_found: There is no secret OTHER',
    )
    expect(await output(of(OLD), 'acme2', 'api.example.com')).toContain(
      'not_configured: The secret TOKEN cannot be read',
    )
    expect(await output(of(NEW), 'acme', 'api.example.com')).toContain(
      'not_configured: The secret TOKEN cannot be read',
    )
    expect(await output(null, 'acme', 'api.example.com')).toContain(
      'not_configured: This Worker has no ENCRYPTION_KEY',
    )
  })

  it('is encrypted again under the current key, so that the previous one can be removed', async () => {
    const row = await sealSecret(of(OLD), 'acme', secret)
    const anew = await resealed(of(NEW, OLD), 'acme', row)
    const opened = await openSecrets(
      of(NEW),
      'acme',
      [{ ...row, sealed: anew ?? '' }],
      ['TOKEN'],
      secret.host,
    )
    expect(opened.ok && opened.value.get('TOKEN')).toBe('the value')
    expect(await resealed(of(OLD), 'acme', row)).toBeNull()
    expect(await resealed(of(NEW), 'acme', row)).toBeNull()
  })
})
