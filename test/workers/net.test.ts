// Promise: in workerd, a guarded fetch reaches no private address, whatever a name resolves to, and a hostile server
// takes only bounded time and memory.

import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'

import type { FetchTerms } from '../../src/net/fetch.ts'
import { guardedFetch } from '../../src/net/guarded-fetch.ts'
import { workspaceFetch } from '../../src/net/workspace-fetch.ts'

const { port, hostname } = inject('hostile')
const here = `127.0.0.1:${port}`

const count = async (): Promise<number> => Number(await (await fetch(`http://${here}/count`)).text())
const terms = (more: Partial<FetchTerms> = {}): FetchTerms => ({
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  maxBytes: 1_000_000,
  maxRedirects: 5,
  ...more,
})
const get = (url: string) => ({ method: 'GET', url, headers: {}, body: null }) as const
const publicNet: typeof fetch = (...of) => {
  if (!env.PUBLIC_NET) throw new Error('the tests have this binding')
  return env.PUBLIC_NET.fetch(...of)
}

const SPELLINGS = [
  hostname,
  hostname.toUpperCase(),
  ...'127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.2 0.0.0.0 0 localhost LOCALHOST localhost.'.split(
    ' ',
  ),
  ...'[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] [fd00:ec2::254]'.split(
    ' ',
  ),
  ...'10.0.0.1 169.254.169.254 192.168.0.1 100.64.0.1 [fe80::1]'.split(' '),
]

describe('the connection to public addresses only', () => {
  it('does not reach this machine by any spelling or name that reaches it otherwise', async () => {
    const before = await count()
    for (const host of ['localhost', hostname, '127.0.0.1', '[::ffff:127.0.0.1]'])
      expect((await fetch(`http://${host}:${port}/plain`)).status).toBe(200)
    expect(await count()).toBe(before + 4)
    const reached: string[] = []
    for (const host of SPELLINGS)
      for (const scheme of ['http', 'https'])
        await publicNet(`${scheme}://${host}:${port}/bound`).then(
          () => reached.push(host),
          () => undefined,
        )
    expect(reached).toEqual([])
    expect(await count()).toBe(before + 4)
  })

  it('stops a name that resolves to a private address after the guard allowed it', async () => {
    const before = await count()
    // example.com resolves to this machine, by each of its names.
    for (const name of ['localhost', hostname, '127.0.0.1']) {
      const resolves: typeof fetch = (input, init) =>
        publicNet(
          `http://${name}:${port}${new URL(input instanceof Request ? input.url : input).pathname}`,
          init,
        )
      const net = guardedFetch({
        policy: async () => ({ ok: true, value: { allowHosts: [], denyHosts: [], privateHosts: [] } }),
        fetch: { public: resolves, private: resolves },
        userAgent: 'test',
      })
      const answer = await net(get('https://example.com/rebound'), terms())
      expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable' } })
    }
    expect(await count()).toBe(before)
  })
})

describe('a workspace’s guarded fetch', () => {
  const net = (hosts?: string) =>
    workspaceFetch({ ...env, ...(hosts && { PRIVATE_HOSTS: hosts }) }, 'ws_net', Date.now)

  it('reaches nothing private unless the operator names it', async () => {
    const before = await count()
    for (const host of SPELLINGS)
      expect(await net()(get(`http://${host}:${port}/x`), terms())).toMatchObject({
        ok: false,
        error: { code: 'not_allowed', sent: false },
      })
    expect(await count()).toBe(before)
    const answer = await net(here)(get(`http://${here}/named`), terms())
    if (!answer.ok) throw new Error(answer.error.detail)
    expect(answer.value).toMatchObject({ status: 200, url: `http://${here}/named`, cut: false })
    expect(JSON.parse(new TextDecoder().decode(answer.value.body))).toMatchObject({
      path: '/named',
      headers: { 'user-agent': 'Satchel/0.1.0' },
    })
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['/big', 1_000_000, true],
    ['/big?bytes=100000000', 1_000_000, true],
    ['/bomb?bytes=500000000', 1_000_000, true],
    ['/bomb?bytes=900000', 900_000, false],
  ])('reads no more of %s than it needs', async (path, bytes, cut) => {
    const answer = await net(here)(get(`http://${here}${path}`), terms())
    if (!answer.ok) throw new Error(answer.error.detail)
    expect([answer.value.body.length, answer.value.cut]).toEqual([bytes, cut])
    expect(answer.value.headers['content-encoding']).toBeUndefined()
  })

  it.each([
    ['/silent', 200, 'timeout'],
    ['/slow', 200, 'timeout'],
    ['/again?n=0', 20_000, 'redirects'],
    ['/broken', 20_000, 'unreachable'],
  ])('ends %s within its time', async (path, timeoutMs, code) => {
    const answer = await net(here)(get(`http://${here}${path}`), terms({ timeoutMs, maxRedirects: 50 }))
    expect(answer).toMatchObject({ ok: false, error: { code, sent: true } })
  })

  it('ends at once when the call is stopped', async () => {
    const stop = new AbortController()
    const before = await count()
    const answer = net(here)(get(`http://${here}/slow`), terms({ signal: stop.signal }))
    await expect.poll(count).toBe(before + 1)
    stop.abort()
    expect(await answer).toMatchObject({ ok: false, error: { code: 'stopped', sent: true } })
  })
})
