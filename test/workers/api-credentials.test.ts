// Guards authentication: everything that is no credential is refused with the same text, and only the header counts.

import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_KEY, foreignKey, got, makeKey, refused, send, serveSkills } from './api-fixture.ts'
import { BAD_CREDENTIALS } from './bad-credentials.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const keys = { ann: '', revoked: '', other: '', chat: '' }

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  keys.ann = (await makeKey('chat', 'ann')).key
  keys.chat = (await makeKey('chat', 'ben')).key
  const revoked = await makeKey('admin')
  keys.revoked = revoked.key
  await got(send(`DELETE /admin/keys/${revoked.id}`))
  keys.other = await foreignKey('other')
})

describe('a credential', () => {
  for (const [name, headers] of Object.entries(BAD_CREDENTIALS))
    it(`is not: ${name}`, async () => {
      const problem = await refused(
        send('GET /v1/models', { key: null, headers: headers(keys) }),
        401,
        'unauthenticated',
      )
      expect(problem.detail).toBe('Send a valid key in the header: Authorization: Bearer <key>.')
    })

  it('is not read from the query, and no other header sets workspace or role', async () => {
    await refused(send(`GET /v1/models?key=${ADMIN_KEY}`, { key: null }), 401, 'unauthenticated')
    const headers = { 'X-Workspace': 'default', 'X-Role': 'admin', 'X-HTTP-Method-Override': 'GET' }
    await refused(
      send('POST /admin/keys', { key: keys.chat, headers, body: { role: 'admin' } }),
      403,
      'forbidden',
    )
  })

  it('may have its scheme in lower case', async () => {
    await got(send('GET /v1/models', { key: null, headers: { Authorization: `bearer ${ADMIN_KEY}` } }))
  })

  it('may be a passphrase with spaces', async () => {
    const phrase = 'correct horse battery staple'
    await got(send('GET /admin/keys', { key: phrase, env: { ADMIN_KEY: phrase } }))
  })

  it('can be the admin key only if one is set', async () => {
    await refused(
      send('GET /v1/models', { key: 'undefined-undefined-undefined', env: { ADMIN_KEY: '' } }),
      401,
      'unauthenticated',
    )
  })

  it('is refused with how to send one', async () => {
    const response = await send('GET /v1/models', { key: null })
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
  })

  it('guessed repeatedly from one address is answered 429, and a valid one from there still works', async () => {
    const headers = { 'CF-Connecting-IP': 'one-place' }
    await eventually(async () => (await send('GET /v1/models', { key: 'guess', headers })).status === 429)
    const response = await send('GET /v1/models', { key: 'guess', headers })
    expect(response.headers.get('Retry-After')).toBe('60')
    await refused(Promise.resolve(response), 429, 'rate_limited')
    await got(send('GET /v1/models', { headers }))
  })
})
