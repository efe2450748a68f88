// Guards authentication: what is no credential is refused in the same words, and only the header counts.

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

  it('is not looked for in the query, and no header says who one is', async () => {
    await refused(send(`GET /v1/models?key=${ADMIN_KEY}`, { key: null }), 401, 'unauthenticated')
    const headers = { 'X-Workspace': 'default', 'X-Role': 'admin', 'X-HTTP-Method-Override': 'GET' }
    await refused(
      send('POST /admin/keys', { key: keys.chat, headers, body: { role: 'admin' } }),
      403,
      'forbidden',
    )
  })

  it('may be written with the scheme in small letters', async () => {
    await got(send('GET /v1/models', { key: null, headers: { Authorization: `bearer ${ADMIN_KEY}` } }))
  })

  it('may be a passphrase with spaces', async () => {
    const phrase = 'correct horse battery staple'
    await got(send('GET /admin/keys', { key: phrase, env: { ADMIN_KEY: phrase } }))
  })

  it('is the admin key only where one is set', async () => {
    await refused(
      send('GET /v1/models', { key: 'undefined-undefined-undefined', env: { ADMIN_KEY: '' } }),
      401,
      'unauthenticated',
    )
  })

  it('says how to send one when it is refused', async () => {
    const response = await send('GET /v1/models', { key: null })
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
  })

  it('that is guessed again and again from one place is answered 429, and a right one from there still works', async () => {
    const headers = { 'CF-Connecting-IP': 'one-place' }
    await eventually(async () => (await send('GET /v1/models', { key: 'guess', headers })).status === 429)
    const response = await send('GET /v1/models', { key: 'guess', headers })
    expect(response.headers.get('Retry-After')).toBe('60')
    await refused(Promise.resolve(response), 429, 'rate_limited')
    await got(send('GET /v1/models', { headers }))
  })
})
