// Promise: a token is obtained only from the authorization server that the metadata of the server names, for this server,
// and nothing leads the client's secret elsewhere.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { err, ok } from '../../../src/lib/result.ts'
import { obtainToken } from '../../../src/mcp/token.ts'
import { guardedStream } from '../../../src/net/guarded-fetch.ts'
import { FakeMcpServer, FRESH_STATE, type McpState } from '../../fakes/mcp-server.ts'

const server = new FakeMcpServer()
let host = ''
beforeAll(async () => void (host = await server.start()))
afterAll(() => server.stop())
beforeEach(() => void (server.seen = []))

/** The addresses that were really requested. */
let requested: string[] = []

/** `others` are private hosts that the operator allows, and for which the secret is not stored. */
function obtain(
  oauth: McpState['oauth'] = {},
  others: readonly string[] = [],
): ReturnType<typeof obtainToken> {
  server.state = { ...FRESH_STATE, oauth }
  requested = []
  const send: typeof fetch = (address, init) => {
    requested.push(address instanceof Request ? address.url : address.toString())
    return fetch(address, init)
  }
  const stream = guardedStream({
    policy: async () => ok({ allowHosts: [], denyHosts: [], privateHosts: [host, ...others] }),
    fetch: { private: send, public: send },
    userAgent: 'Satchel/test',
  })
  const secretFor = async (to: string) =>
    others.includes(to) ? err('not for this host') : ok(to === host ? 's3cret' : 'never')
  return obtainToken(
    stream,
    { url: `http://${host}/mcp`, clientId: 'ada', scope: 'notes', secretFor },
    () => 0,
    new AbortController().signal,
  )
}

test('a token is obtained for this server, over its metadata and that of its authorization server', async () => {
  expect(await obtain()).toEqual(ok({ value: expect.stringMatching(/^tok-/), expiresAt: 3_595_000 }))
  expect(requested.map((address) => new URL(address).pathname)).toEqual([
    '/mcp',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/token',
  ])
  const [request] = server.seen.filter(({ method }) => method === 'token')
  expect(request?.params).toEqual({
    grant_type: 'client_credentials',
    resource: `http://${host}/mcp`,
    scope: 'notes',
  })
  expect(request?.headers.authorization).toBe(`Basic ${btoa('ada:s3cret')}`)
})

test.each([
  ['another resource', () => ({ resource: 'https://other.example.com/mcp' }), 'another resource'],
  ['another path', () => ({ resource: `http://${host}/mc` }), 'another resource'],
  ['another issuer', () => ({ issuer: `http://${host}/` }), 'another issuer'],
])('metadata about %s is refused, and no secret is sent', async (_, oauth, words) => {
  const refused = await obtain(oauth())
  expect(refused.ok ? '' : refused.error).toContain(words)
  expect(server.seen.map(({ method }) => method)).not.toContain('token')
})

test.each([
  'http://127.0.0.1:1',
  'http://169.254.169.254',
  'http://[::1]:1',
  'http://2130706433',
  'http://auth.example.com',
  'file:///etc/passwd',
])('an authorization server or token endpoint at %s gets no request', async (address) => {
  for (const oauth of [{ server: address }, { endpoint: `${address}/token` }]) {
    expect(await obtain(oauth)).toMatchObject({ ok: false })
    expect(requested.every((one) => new URL(one).host === host)).toBe(true)
    expect(server.seen.map(({ method }) => method)).not.toContain('token')
  }
})

test('a server leads to no other private host, unless the secret is stored for that one', async () => {
  const other = '127.0.0.1:1'
  expect(await obtain({ server: `http://${other}/hidden?a` }, [other])).toEqual(
    err(expect.stringContaining('private host')),
  )
  expect(await obtain({ metadata: `http://${other}/metadata` }, [other])).toMatchObject({ ok: true })
  expect(requested.every((one) => new URL(one).host === host)).toBe(true)
})

test('a token is kept for at most a day, and a short one is refused', async () => {
  const day = 86_400_000 - 5_000
  expect(await obtain({ token: 'long-enough' })).toEqual(ok({ value: 'long-enough', expiresAt: day }))
  expect(await obtain({ token: 'short' })).toMatchObject({ ok: false })
})
