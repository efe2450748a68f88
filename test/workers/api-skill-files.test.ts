// Guards the files of skills with a chat key: only files of skills that the key may see, served so that no browser runs
// them.

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { CONTENT_CACHE_ITEM_MAX_BYTES } from '../../src/skills/store/limits.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import { foreignKey, got, makeKey, publish, refused, send, serveSkills } from './api-fixture.ts'

const LARGE = 'Line.\n'.repeat(CONTENT_CACHE_ITEM_MAX_BYTES / 6 + 1)

let ann = ''

beforeAll(async () => {
  const files = {
    'notes/über uns.md': '# Us',
    'page.html': '<script>alert(1)</script>',
    'blob.bin': 'a\u0000b',
  }
  await serveSkills([
    { name: 'alpha', files: { ...files, 'large.txt': LARGE } },
    { name: 'by-hand', fields: { 'disable-model-invocation': 'true' }, files },
    { name: 'by-model', fields: { 'user-invocable': 'false' }, files },
    { name: 'off', enabled: false, files },
  ])
  ann = (await makeKey('chat', 'ann')).key
})

function file(skill: string, path: string, query = '', key = ann): Promise<Response> {
  return send(`GET /v1/skills/${skill}/files/${path}${query}`, { key })
}

describe('a file of a skill', () => {
  it('is returned as text or bytes, always as an attachment', async () => {
    const text = await file('alpha', 'notes/%C3%BCber%20uns.md')
    expect(await text.text()).toBe('# Us')
    expect(text.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    for (const [path, type] of [
      ['page.html', 'text/plain; charset=utf-8'],
      ['blob.bin', 'application/octet-stream'],
      ['SKILL.md', 'text/plain; charset=utf-8'],
    ] as const) {
      const { status, headers } = await file('alpha', path)
      expect([path, status, headers.get('Content-Type')]).toEqual([path, 200, type])
      expect(headers.get('Content-Disposition')).toMatch(/^attachment;/)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
      const again = await send(`GET /v1/skills/alpha/files/${path}`, {
        key: ann,
        headers: { 'If-None-Match': headers.get('ETag') ?? '' },
      })
      expect([path, again.status]).toEqual([path, 304])
    }
  })

  it('that is large is streamed, and the stream breaks off where it is damaged', async () => {
    const whole = await file('alpha', 'large.txt')
    expect(whole.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(await whole.text()).toBe(LARGE)
    const key = blobKey('build', await sha256Hex(utf8(LARGE)))
    await env.RESOURCES.put(key, LARGE.replace('L', 'l'))
    const damaged = await file('alpha', 'large.txt')
    expect(damaged.status).toBe(200)
    await expect(damaged.text()).rejects.toThrow()
  })

  it('is visible to those who may see the skill: for the agent, or with for=person for callable ones', async () => {
    const seen = async (query: string): Promise<readonly number[]> =>
      Promise.all(
        ['alpha', 'by-hand', 'by-model', 'off', 'none'].map(
          async (name) => (await file(name, 'SKILL.md', query)).status,
        ),
      )
    expect(await seen('')).toEqual([200, 404, 200, 404, 404])
    expect(await seen('?for=person')).toEqual([200, 200, 404, 404, 404])
    expect(await got(send('GET /v1/skills/by-hand?for=person', { key: ann }))).toMatchObject({
      name: 'by-hand',
    })
    await refused(send('GET /v1/skills/by-hand', { key: ann }), 404, 'not_found')
    await refused(file('alpha', 'SKILL.md', '?for=nobody'), 422, 'invalid_request')
    await publish({ name: 'ours' })
    await refused(file('ours', 'SKILL.md', '', await foreignKey('elsewhere')), 404, 'not_found')
  })

  it('must be listed by the skill, and no other path works', async () => {
    for (const path of [
      'none.md',
      '..%2Foff%2FSKILL.md',
      '%2e%2e/off/SKILL.md',
      'notes',
      'SKILL.md/',
      '/SKILL.md',
    ])
      expect([path, (await file('alpha', path)).status]).toEqual([path, 404])
  })
})
