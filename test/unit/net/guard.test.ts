// Promise: whatever address is requested or redirected to, no request leaves for a private one.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Outgoing } from '../../../src/net/fetch.ts'
import { judgeUrl, type GuardPolicy } from '../../../src/net/guard.ts'
import { guardedFetch } from '../../../src/net/guarded-fetch.ts'
import { hostileServer, type HostileServer } from '../../fakes/hostile-server.ts'
import { HOSTS, URLS } from './forms.ts'

const OPEN: GuardPolicy = { allowHosts: [], denyHosts: [], privateHosts: [] }
let server: HostileServer
beforeAll(async () => void (server = await hostileServer()))
afterAll(() => server.close())

const get = (url: string): Outgoing => ({ method: 'GET', url, headers: {}, body: null })
const terms = () => ({
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  maxBytes: 1_000,
  maxRedirects: 5,
})

/** Resolves every name to the test's server, as a hostile resolver would. */
const worst: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  return fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, init)
}
const ask = guardedFetch({
  policy: async () => ({ ok: true, value: OPEN }),
  fetch: { public: worst, private: worst },
  userAgent: 'test',
})
/** A fetch without the guard: shows that these addresses do reach the server. */
const real = guardedFetch({
  policy: async () => ({ ok: true, value: OPEN }),
  fetch: { public: fetch, private: fetch },
  userAgent: 'test',
})

const FORMS = [...HOSTS.flatMap((host) => [`https://${host}/`, `https://${host}./x?y#z`]), ...URLS]

test('without the guard the server is reached, so that its count is meaningful', async () => {
  for (const host of ['127.0.0.1', '2130706433', '0177.1', 'localhost', '[::ffff:127.0.0.1]'])
    expect((await fetch(`http://${host}:${server.port}/open`)).status).toBe(200)
  expect((await ask(get('https://example.com/open'), terms())).ok).toBe(true)
})

test(`none of ${FORMS.length} forms is requested, and each is refused with a reason`, async () => {
  expect(FORMS.length).toBeGreaterThan(400)
  const before = server.came.length
  const wrong: unknown[] = []
  for (const url of FORMS) {
    const answer = await ask(get(url), terms())
    if (answer.ok || answer.error.sent || !['bad_url', 'not_allowed'].includes(answer.error.code))
      wrong.push([url, answer])
    else if (answer.error.detail.length > 500 || /password@|user:/.test(answer.error.detail))
      wrong.push([url, answer.error.detail])
  }
  expect(wrong).toEqual([])
  expect(server.came.slice(before)).toEqual([])
})

test('nor is one on the real port of the server, by http, https and with names before it', async () => {
  const before = server.came.length
  const answers = HOSTS.flatMap((host) => [
    `http://${host}:${server.port}/`,
    `https://${host}:${server.port}/`,
    `http://example.com@${host}:${server.port}/`,
  ]).map((url) => real(get(url), terms()))
  expect((await Promise.all(answers)).filter((answer) => answer.ok)).toEqual([])
  expect(server.came.slice(before)).toEqual([])
})

test('a redirect to any of them is not followed', async () => {
  const before = server.came.length
  const wrong: string[] = []
  // By URL rules, a scheme alone, or no scheme, leads to a path of the same host.
  const targets = FORMS.filter(
    (url) => /^\s*(?!https:(?:\/?\w|\/*$))[a-z-]+:/i.test(url) && url.length < 2_000,
  )
  expect(targets.length).toBeGreaterThan(400)
  for (const url of targets) {
    const at = new URL('https://example.com/redirect')
    at.searchParams.set('to', url)
    const answer = await ask(get(at.href), terms())
    if (answer.ok || !answer.error.sent) wrong.push(url)
  }
  expect(wrong).toEqual([])
  expect(server.came.slice(before).filter((path) => !path.startsWith('/redirect'))).toEqual([])
})

describe('the lists', () => {
  const way = (url: string, policy: Partial<GuardPolicy>): string | null => {
    const judged = judgeUrl(new URL(url), { ...OPEN, ...policy })
    return judged.ok ? judged.value : null
  }
  test.each([
    ['https://example.com/', {}, 'public'],
    ['https://example.com:443/', {}, 'public'],
    ['https://bücher.example/', {}, 'public'],
    ['https://a_b.example.com./', {}, 'public'],
    ['https://example.com/', { allowHosts: ['example.com'] }, 'public'],
    ['https://EXAMPLE.com./', { allowHosts: ['Example.Com.'] }, 'public'],
    ['https://xn--bcher-kva.example/', { allowHosts: ['bücher.example'] }, 'public'],
    ['https://a.example.com/', { allowHosts: ['example.com'] }, null],
    ['https://a.b.example.com/', { allowHosts: ['*.example.com'] }, 'public'],
    ['https://example.com/', { allowHosts: ['*.example.com'] }, null],
    ['https://badexample.com/', { allowHosts: ['*.example.com'] }, null],
    ['https://example.com.evil.com/', { allowHosts: ['*.example.com', 'example.com'] }, null],
    ['https://example.com/', { allowHosts: ['nonsense of old releases/'] }, null],
    ['https://example.com/', { denyHosts: ['example.com'] }, null],
    ['https://example.com./', { denyHosts: ['example.com'] }, null],
    ['https://a.example.com/', { denyHosts: ['example.com'] }, 'public'],
    ['https://a.example.com/', { denyHosts: ['*.example.com'], allowHosts: ['a.example.com'] }, null],
    ['https://93.184.216.34/', { allowHosts: ['93.184.216.34'] }, 'public'],
    ['https://[2606:4700::1]/', { allowHosts: ['[2606:4700:0::1]'] }, 'public'],
    ['https://10.0.0.1/', { allowHosts: ['10.0.0.1'] }, null],
    ['https://2130706433/', { allowHosts: ['127.0.0.1', '2130706433'] }, null],
    ['https://localhost/', { allowHosts: ['localhost'] }, null],
    ['https://127.0.0.1.nip.io/', { allowHosts: ['*.nip.io'] }, null],
    ['http://127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'] }, 'private'],
    ['https://127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'] }, 'private'],
    ['http://2130706433:4010/x', { privateHosts: ['127.0.0.1:4010'] }, 'private'],
    ['http://127.0.0.1:4011/x', { privateHosts: ['127.0.0.1:4010'] }, null],
    ['http://127.0.0.2:4010/x', { privateHosts: ['127.0.0.1:4010'] }, null],
    ['http://localhost:4010/x', { privateHosts: ['127.0.0.1:4010'] }, null],
    ['http://u:p@127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'] }, null],
    ['http://tickets.local/x', { privateHosts: ['tickets.local:80'] }, 'private'],
    ['http://[::1]:4010/x', { privateHosts: ['[0:0::1]:4010'] }, 'private'],
    ['http://127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'], denyHosts: ['127.0.0.1'] }, null],
    ['http://127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'], allowHosts: ['example.com'] }, null],
    ['ftp://127.0.0.1:4010/x', { privateHosts: ['127.0.0.1:4010'] }, null],
  ] as const)('send %s under %j: %s', (url, policy, expected) => {
    expect(way(url, policy)).toBe(expected)
  })
})
