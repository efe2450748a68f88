// Guards the secrets of hooks and endpoints: they are stored only sealed, for their object, and stay readable while keys change.

import { describe, expect, it } from 'vitest'
import { SigningSecrets, type SealedSigning } from '../../../src/secrets/signing.ts'

const [OLD, NEW] = ['an-old-key-of-32-characters-or-so', 'a-new-key-of-32-characters-or-so!']
const HOOK = { id: 'hk_default_1', workspace: 'default' }
const NOW = 1_000

function of(keys: readonly string[], store = (): void => undefined): SigningSecrets {
  return new SigningSecrets(keys, store)
}

async function sealed(key: string, secret: string): Promise<string> {
  const made = await of([key]).seal(HOOK, secret)
  if (!made.ok) throw new Error(made.error.detail)
  expect(made.value).not.toContain(secret)
  return made.value
}

async function stored(key: string, secret: string): Promise<SealedSigning> {
  return { ...HOOK, sealed: await sealed(key, secret), previous: null }
}

describe('a signing secret', () => {
  it('is opened for its own object alone', async () => {
    const hook = await stored(OLD, 'whsec_one')
    expect(await of([OLD]).open(hook, NOW)).toEqual({ ok: true, value: ['whsec_one'] })
    for (const other of [{ id: 'hk_default_2' }, { workspace: 'acme' }])
      expect(await of([OLD]).open({ ...hook, ...other }, NOW)).toMatchObject({
        error: { code: 'not_configured' },
      })
  })

  it('that was replaced is valid until its time', async () => {
    const previous = { sealed: await sealed(OLD, 'whsec_zero'), until: NOW }
    const hook = { ...(await stored(OLD, 'whsec_one')), previous }
    const secrets = of([OLD])
    expect(await secrets.open(hook, NOW - 1)).toEqual({ ok: true, value: ['whsec_one', 'whsec_zero'] })
    expect(await secrets.open(hook, NOW)).toEqual({ ok: true, value: ['whsec_one'] })
  })

  it('needs an ENCRYPTION_KEY, and the one that sealed it', async () => {
    const hook = await stored(OLD, 'whsec_one')
    for (const keys of [[], [NEW]]) {
      const opened = await of(keys).open(hook, NOW)
      expect(opened).toMatchObject({ error: { code: 'not_configured' } })
      expect(JSON.stringify(opened)).toContain('ENCRYPTION_KEY')
    }
    expect(await of([]).seal(HOOK, 'whsec_one')).toMatchObject({ error: { code: 'not_configured' } })
  })

  it('that is new is used although the replaced one cannot be read any more', async () => {
    const previous = { sealed: await sealed(OLD, 'whsec_zero'), until: NOW }
    const hook = { ...(await stored(NEW, 'whsec_one')), previous }
    expect(await of([NEW]).open(hook, 0)).toEqual({ ok: true, value: ['whsec_one'] })
  })

  it('is sealed again with a new key, so that the old one can be removed', async () => {
    const renewed = new Map<string, string>()
    const hook = await stored(OLD, 'whsec_one')
    const secrets = new SigningSecrets([NEW, OLD], (from, to) => renewed.set(from, to))
    for (let time = 0; time < 3; time++)
      expect(await secrets.open(hook, NOW)).toEqual({ ok: true, value: ['whsec_one'] })
    const again = { ...hook, sealed: renewed.get(hook.sealed) ?? '' }
    expect(await of([NEW]).open(again, NOW)).toEqual({ ok: true, value: ['whsec_one'] })
    const unchanged = new SigningSecrets([NEW, OLD], () => expect.unreachable())
    expect(await unchanged.open(again, NOW)).toMatchObject({ ok: true })
  })
})
