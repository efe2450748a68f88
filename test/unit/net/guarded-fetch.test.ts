// Promise: a guarded fetch stays within its time and bytes, follows redirects only as HTTP says, carries nothing from
// one host to another, and never throws.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { FetchTerms, Outgoing } from '../../../src/net/fetch.ts'
import type { GuardPolicy } from '../../../src/net/guard.ts'
import { guardedFetch } from '../../../src/net/guarded-fetch.ts'
import { hostileServer, type HostileServer } from '../../fakes/hostile-server.ts'

let server: HostileServer
let other: HostileServer
beforeAll(async () => void ([server, other] = await Promise.all([hostileServer(), hostileServer()])))
afterAll(() => Promise.all([server.close(), other.close()]))

const here = (path: string): string => `http://127.0.0.1:${server.port}${path}`
const policy = (): GuardPolicy => ({
  allowHosts: [],
  denyHosts: [],
  privateHosts: [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`],
})
const ask = (request: Partial<Outgoing> & { readonly url: string }, terms: Partial<FetchTerms> = {}) =>
  guardedFetch({
    policy: async () => ({ ok: true, value: policy() }),
    // A public host here is one of the test's servers.
    fetch: {
      private: fetch,
      public: async (input, init) => {
        const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input)
        return fetch(
          `http://127.0.0.1:${(hostname.startsWith('other') ? other : server).port}${pathname}${search}`,
          init,
        )
      },
    },
    userAgent: 'Satchel/test',
  })(
    { method: 'GET', headers: {}, body: null, ...request },
    { signal: new AbortController().signal, timeoutMs: 20_000, maxBytes: 100_000, maxRedirects: 5, ...terms },
  )

interface Echo {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

async function echoed(...of: Parameters<typeof ask>): Promise<Echo> {
  const answer = await ask(...of)
  if (!answer.ok) throw new Error(answer.error.detail)
  return JSON.parse(new TextDecoder().decode(answer.value.body)) as Echo // the cast is safe: the server's default response has this shape
}

const to = (url: string, status = 302): string => `/redirect?status=${status}&to=${encodeURIComponent(url)}`

describe('a request', () => {
  test('is sent as given, under our own User-Agent', async () => {
    const headers = {
      'X-One': '1',
      'user-agent': 'Mozilla/5.0',
      'Content-Type': 'text/plain',
      'CF-Access-Client-Id': 'id.access',
    }
    const echo = await echoed({ method: 'PUT', url: here('/a?b=c#d'), headers, body: 'süß' })
    expect(echo).toMatchObject({ method: 'PUT', path: '/a?b=c', body: 'süß' })
    expect(echo.headers).toMatchObject({
      'x-one': '1',
      'user-agent': 'Satchel/test',
      'cf-access-client-id': 'id.access',
    })
  })

  test.each([
    [{ Host: 'internal' }, null],
    [{ Upgrade: 'websocket' }, null],
    [{ 'Transfer-Encoding': 'chunked' }, null],
    [{ 'X-Forwarded-For': '127.0.0.1' }, null],
    [{ 'CF-Connecting-IP': '127.0.0.1' }, null],
    [{ 'a b': 'c' }, null],
    [{ 'X-A': 'b\r\nX-Evil: 1' }, null],
    [{ 'X-A': '日本' }, null],
    [{}, 'a body'],
  ])('with headers %j and body %j is not sent', async (headers: Record<string, string>, body) => {
    const before = server.came.length
    const answer = await ask({ url: here('/x'), headers, body })
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_allowed', sent: false } })
    expect(server.came.length).toBe(before)
  })

  test('without a response says whether it may have been sent', async () => {
    const gone = await hostileServer()
    const url = `https://127.0.0.1:${gone.port}/`
    await gone.close()
    expect(await ask({ url })).toMatchObject({ ok: false, error: { code: 'not_allowed', sent: false } })
    expect(await ask({ url: here('/broken') })).toMatchObject({
      ok: false,
      error: { code: 'unreachable', sent: true },
    })
  })

  test('whose workspace cannot be asked for its lists is not sent', async () => {
    const net = guardedFetch({
      policy: async () => ({ ok: false, error: 'the lists are away' }),
      fetch: { private: fetch, public: fetch },
      userAgent: 'x',
    })
    const before = server.came.length
    const terms = { signal: new AbortController().signal, timeoutMs: 5_000, maxBytes: 1, maxRedirects: 0 }
    const answer = await net({ method: 'GET', url: here('/'), headers: {}, body: null }, terms)
    expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable', sent: false } })
    expect(server.came.length).toBe(before)
  })
})

describe('a response', () => {
  test('has its headers without cookies', async () => {
    const answer = await ask({ url: here('/cookies') })
    expect(answer).toMatchObject({ ok: true, value: { status: 200, url: here('/cookies'), cut: false } })
    expect(answer.ok && answer.value.headers).toMatchObject({ 'x-kept': 'yes' })
    expect(answer.ok && Object.keys(answer.value.headers)).not.toContain('set-cookie')
  })

  test.each([
    ['/big?bytes=100000', 100_000, false],
    ['/big?bytes=100001', 100_000, true],
    ['/big?bytes=100000000', 100_000, true],
    ['/big', 100_000, true],
    ['/bomb?bytes=90000', 90_000, false],
    ['/bomb?bytes=200000000', 100_000, true],
  ])('%s is read to %d bytes; cut: %s', async (path, bytes, cut) => {
    const answer = await ask({ url: here(path) })
    if (!answer.ok) throw new Error(answer.error.detail)
    expect([answer.value.body.length, answer.value.cut]).toEqual([bytes, cut])
    expect(answer.value.body.buffer.byteLength).toBeLessThanOrEqual(200_000)
  })

  test.each(['/silent', '/slow'])('that never ends (%s) ends with its time', async (path) => {
    const answer = await ask({ url: here(path) }, { timeoutMs: 100 })
    expect(answer).toMatchObject({ ok: false, error: { code: 'timeout', sent: true } })
  })

  test.each(['/silent', '/slow', '/big'])('of %s ends when the call is stopped', async (path) => {
    const stop = new AbortController()
    const before = server.came.length
    const answer = ask({ url: here(path) }, { signal: stop.signal, maxBytes: 2 ** 40 })
    await expect.poll(() => server.came.length).toBe(before + 1)
    stop.abort()
    expect(await answer).toMatchObject({ ok: false, error: { code: 'stopped', sent: true } })
    expect(await ask({ url: here(path) }, { signal: stop.signal })).toMatchObject({
      ok: false,
      error: { code: 'stopped', sent: false },
    })
    expect(server.came.length).toBe(before + 1)
  })

  test('is given up even if the fetch ignores the signal', async () => {
    const never: typeof fetch = () => new Promise(() => {})
    const net = guardedFetch({
      policy: async () => ({ ok: true, value: policy() }),
      fetch: { private: never, public: never },
      userAgent: 'x',
    })
    const terms = { signal: new AbortController().signal, timeoutMs: 50, maxBytes: 1, maxRedirects: 0 }
    const answer = await net({ method: 'GET', url: 'https://example.com/', headers: {}, body: null }, terms)
    expect(answer).toMatchObject({ ok: false, error: { code: 'timeout' } })
  })
})

describe('an address that a server chose', () => {
  test.each([
    ['at its own private origin is reached', (): string => here('/'), true],
    ['at another private host is refused', (): string => `http://127.0.0.1:${other.port}/`, false],
    [
      'is refused if it redirects to another private host',
      (): string => here(to(`http://127.0.0.1:${other.port}/`)),
      false,
    ],
    ['on a public host is reached', (): string => 'https://other.example.com/', true],
  ])('%s', async (_, url, isReached) => {
    const before = other.came.length
    const answer = await ask({ url: url() }, { privateOrigin: new URL(here('/')).origin })
    expect(answer).toMatchObject(isReached ? { ok: true } : { ok: false, error: { code: 'not_allowed' } })
    if (!isReached) expect(other.came.length).toBe(before)
  })
})

describe('a redirect', () => {
  test('is followed as often as allowed', async () => {
    const before = server.came.length
    const answer = await ask({ url: here('/again?n=0') }, { maxRedirects: 50 })
    expect(answer).toMatchObject({ ok: false, error: { code: 'redirects', sent: true } })
    expect(server.came.length).toBe(before + 51)
    expect(await ask({ url: here(to('/x')) }, { maxRedirects: 0 })).toMatchObject({
      ok: false,
      error: { code: 'redirects', detail: expect.stringContaining(here('/x')) },
    })
    expect((await echoed({ url: here(to('/x')) }, { maxRedirects: 1 })).path).toBe('/x')
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [302, 'PUT', 'PUT', 'body'],
    [307, 'POST', 'POST', 'body'],
    [308, 'DELETE', 'DELETE', 'body'],
  ] as const)('with %d makes of a %s a %s on the same host', async (status, method, then, body) => {
    const headers = { 'Content-Type': 'text/plain', Authorization: 'secret' }
    const echo = await echoed({ method, url: here(to('/then', status)), headers, body: 'body' })
    expect(echo).toMatchObject({ method: then, path: '/then', body })
    expect(echo.headers['authorization']).toBe('secret')
    expect(echo.headers['content-type']).toBe(body ? 'text/plain' : undefined)
  })

  test('to another host carries along only headers such as Accept', async () => {
    const headers = { Authorization: 'secret', 'X-Key': 'secret', Cookie: 'a=b', accept: 'text/html' }
    const echo = await echoed({ url: here(to(`http://127.0.0.1:${other.port}/y`)), headers })
    expect(JSON.stringify(echo)).not.toMatch(/secret|a=b/)
    expect(echo.headers).toMatchObject({ accept: 'text/html', 'user-agent': 'Satchel/test' })
  })

  test('carries no body to another host', async () => {
    const before = other.came.length
    const url = here(to(`http://127.0.0.1:${other.port}/y`, 307))
    expect(await ask({ method: 'POST', url, body: 'private words' })).toMatchObject({
      ok: false,
      error: { code: 'redirects', sent: true },
    })
    expect(other.came.length).toBe(before)
  })

  test('of a public host does not lead to a host that only the operator may name', async () => {
    const before = other.came.length
    const answer = await ask({ url: `https://example.com${to(`http://127.0.0.1:${other.port}/y`)}` })
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_allowed', sent: true } })
    expect(other.came.length).toBe(before)
    expect((await echoed({ url: `https://example.com${to('https://other.example.com/z')}` })).path).toBe('/z')
  })

  test('leads only where its caller allows', async () => {
    const before = other.came.length
    const mayRedirect = (url: URL): boolean => url.hostname === 'example.com'
    const url = `https://example.com${to('https://other.example.com/?data')}`
    expect(await ask({ url }, { mayRedirect })).toMatchObject({ ok: false, error: { code: 'not_allowed' } })
    expect(other.came.length).toBe(before)
    expect((await echoed({ url: `https://example.com${to('/z')}` }, { mayRedirect })).path).toBe('/z')
  })

  test('without a valid location is a response or refused', async () => {
    expect(await ask({ url: here('/redirect?status=304') })).toMatchObject({
      ok: true,
      value: { status: 304 },
    })
    expect(await ask({ url: here(to('https://[nonsense')) })).toMatchObject({
      ok: false,
      error: { code: 'redirects' },
    })
  })
})
