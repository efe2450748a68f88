// Promise: a download is bounded, follows only safe redirects, reaches a private network only if the person named it,
// and carries a token to no other host.

import { expect, test } from 'vitest'

import { resolvePublicAddresses } from '../../../scripts/add/public-addresses.ts'
import { Web } from '../../../scripts/add/web.ts'

interface Call {
  readonly url: string
  readonly authorization: string | null
  readonly addresses: readonly string[] | null
}
type Pages = Readonly<Record<string, () => Response>>

const go = (to: string) => (): Response => new Response(null, { status: 302, headers: { Location: to } })
const page = (text: string) => (): Response =>
  new Response(text, { headers: { 'Content-Type': 'Text/Markdown; x=y' } })

function webOf(named: string, pages: Pages, token?: string): { readonly web: Web; readonly calls: Call[] } {
  const calls: Call[] = []
  const web = new Web({
    namedUrl: named,
    token,
    fetch: async (url, init) => {
      const { headers, addresses } = init
      calls.push({ url, authorization: new Headers(headers).get('Authorization'), addresses })
      return pages[url]?.() ?? new Response('no', { status: 404 })
    },
    lookup: async (host) => (host === 'inside.test' ? ['10.0.0.7'] : ['93.184.215.14']),
  })
  return { web, calls }
}

async function fetched(named: string, pages: Pages, max = 1_000): Promise<string> {
  const got = await webOf(named, pages).web.bytes(named, max)
  return got.ok ? new TextDecoder().decode(got.value.bytes) : got.error.detail
}

const A = 'https://a.test/x'

test('a body has its type and its last URL', async () => {
  const got = await webOf(A, { [A]: go('/y'), 'https://a.test/y': page('hello') }).web.bytes(A, 5)
  expect(got).toMatchObject({ ok: true, value: { url: 'https://a.test/y', type: 'text/markdown' } })
})

test('one byte too many is refused, whatever the declared length', async () => {
  expect(await fetched(A, { [A]: page('hello!') }, 5)).toMatch(/more than 5 bytes/)
})

test('an endless body is stopped at the limit', async () => {
  let pulled = 0
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pulled += 1_000
          controller.enqueue(new Uint8Array(1_000))
        },
      }),
    )
  expect(await fetched(A, { [A]: endless }, 10_000)).toMatch(/more than 10000/)
  expect(pulled).toBeLessThan(20_000)
})

test.each([
  ['a loop', { [A]: go(A) }, /redirects/],
  ['another scheme', { [A]: go('file:///etc/passwd') }, /not supported/],
  ['plain HTTP', { [A]: go('http://a.test/x') }, /https to http/],
  ['a password', { [A]: go('https://u:p@b.test/') }, /password/],
  ['an invalid URL', { [A]: go('https://[') }, /invalid address/],
  ['this machine', { [A]: go('https://127.0.0.1:8787/admin') }, /private network/],
  ['this machine in another spelling', { [A]: go('https://2130706433/') }, /private network/],
  ['cloud metadata', { [A]: go('https://169.254.169.254/latest') }, /private network/],
  ['an internal name', { [A]: go('https://inside.test/') }, /private network/],
  ['IPv6', { [A]: go('https://[::ffff:10.0.0.1]/') }, /private network/],
  ['localhost', { [A]: go('https://x.localhost/') }, /private network/],
])('a redirect to %s is refused', async (_, pages, why) => {
  expect(await fetched(A, pages)).toMatch(why)
})

test('an address in a private network that the person named is read', async () => {
  expect(await fetched('http://127.0.0.1:9/x', { 'http://127.0.0.1:9/x': page('mine') })).toBe('mine')
  const other = { 'http://127.0.0.1:9/x': go('http://127.0.0.1:10/x') }
  expect(await fetched('http://127.0.0.1:9/x', other)).toMatch(/private network/)
})

test('a token is sent to the named host over https, and not along a redirect', async () => {
  const { web, calls } = webOf(
    A,
    { [A]: go('https://b.test/x'), 'https://b.test/x': page('hello') },
    'ghp_secret',
  )
  expect((await web.bytes(A, 100)).ok).toBe(true)
  expect(calls).toMatchObject([
    { url: A, authorization: 'Bearer ghp_secret' },
    { url: 'https://b.test/x', authorization: null },
  ])
  const clear = webOf('http://a.test/x', { 'http://a.test/x': page('hello') }, 'ghp_secret')
  await clear.web.bytes('http://a.test/x', 100)
  expect(clear.calls).toMatchObject([{ url: 'http://a.test/x', authorization: null }])
})

test('a failure shows the status, and no key of the URL', async () => {
  const named = 'https://a.test/x.zip?token=abc'
  const got = await webOf(named, {}).web.bytes(named, 100)
  expect(got).toMatchObject({ ok: false, error: { status: 404 } })
  expect(JSON.stringify(got)).not.toContain('abc')
})

test('an interrupted connection is a failure, not half a file', async () => {
  const broken = (): Response =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new Error('reset'))
        },
      }),
    )
  expect(await fetched(A, { [A]: broken })).toMatch(/cannot be read: reset.*tried twice/)
})

test('a connection that is interrupted once is retried, and the file starts over', async () => {
  let tries = 0
  const once = (): Response =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('hello'))
        },
        pull(controller) {
          if (++tries === 1) controller.error(new Error('reset'))
          else controller.close()
        },
      }),
    )
  expect(await fetched(A, { [A]: once })).toBe('hello')
  const never = webOf(A, {})
  await never.web.bytes(A, 10)
  expect(never.calls).toHaveLength(1) // an HTTP error is not retried
})

test('the target of a redirect is connected at its checked address, so that a name cannot change in between', async () => {
  const { web, calls } = webOf(A, { [A]: go('https://b.test/y'), 'https://b.test/y': page('hello') })
  await web.bytes(A, 1_000)
  expect(calls.map(({ url, addresses }) => [url, addresses])).toEqual([
    [A, null],
    ['https://b.test/y', ['93.184.215.14']],
  ])
})

test.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['[fd00::1]', true],
  ['[::ffff:c0a8:1]', true],
  ['100.64.1.1', true],
  ['localhost.', true],
  ['inside.test', true],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
  ['[2606:4700::1]', false],
  ['a.test', false],
  ['unknown.test', false],
  // IPv6 forms of an IPv4 address, which a translator in the network may convert back.
  ['[::7f00:1]', true],
  ['[64:ff9b:1::a00:1]', true],
  ['[2002:a00:1::1]', true],
  // Not private, but reserved: Azure's platform address, documentation ranges, unassigned ranges.
  ['168.63.129.16', true],
  ['203.0.113.9', true],
  ['[2001:db8::1]', true],
  ['[5f00::1]', true],
  ['mapped.test', true],
  ['scoped.test', true],
])('%s is private: %s', async (host, wanted) => {
  const lookup = async (name: string): Promise<string[]> => {
    if (name === 'unknown.test') throw new Error('no such name')
    if (name === 'mapped.test') return ['::ffff:10.0.0.7']
    if (name === 'scoped.test') return ['fe80::1%eth0']
    return name === 'inside.test' ? ['93.184.215.14', '192.168.0.3'] : ['93.184.215.14']
  }
  expect((await resolvePublicAddresses(host, lookup)) === null).toBe(wanted)
})
