// Promise: with any configured engine, the model gets the same numbered list of web addresses, marked as text from
// outside, or an error that says what to do; never a key.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { ToolCall, ToolResult } from '../../../src/agent/tool.ts'
import { SEARCH_SNIPPET_MAX_CHARS, SEARCH_TITLE_MAX_CHARS } from '../../../src/tools/web/search/limits.ts'
import type { GuardedFetch } from '../../../src/net/fetch.ts'
import { guardedFetch } from '../../../src/net/guarded-fetch.ts'
import type { SearchSetup } from '../../../src/tools/web/search/engine.ts'
import { searxng } from '../../../src/tools/web/search/searxng.ts'
import { webSearch, type Billed } from '../../../src/tools/web/search/search.ts'
import { IMAGE_SEARCH, WEB_SEARCH } from '../../../src/tools/web/web-search.ts'
import { variableFaults } from '../../../src/env/variables.ts'
import { SearchEngines } from '../../fakes/search-engines.ts'
import { toolContext } from '../../fakes/tool-context.ts'

const engines = new SearchEngines()
let position = ''
beforeAll(async () => void (position = await engines.start()))
afterAll(() => engines.stop())

const hit = (n: number, text = `words ${n}`) => ({
  title: `Page ${n}`,
  url: `https://site${n}.example.com/a?b=${n}`,
  text,
  image: `https://images.example.com/${n}.jpg`,
})
beforeEach(() => {
  engines.instead = null
  engines.hits = [hit(1), hit(2), hit(3)]
})

const PROVIDERS = ['tavily', 'brave', 'searxng'] as const
const CALL: ToolCall = {
  runId: 'run_1',
  toolUseId: 'tu_1',
  idempotencyKey: 'run_1:tu_1',
  signal: new AbortController().signal,
  progress: () => {},
}

function setupOf(provider: SearchSetup['provider'], key: string | null = engines.key): SearchSetup {
  return { provider, key, price: null, url: `http://${position}${provider === 'searxng' ? '/searx' : ''}` }
}

function ask(
  setup: SearchSetup | null,
  input: unknown,
  tool = WEB_SEARCH,
  denyHosts: readonly string[] = [],
): Promise<ToolResult> {
  return tool.make(toolContext({ search: setup && webSearch(setup, net(denyHosts)) })).run(input, CALL)
}

function net(denyHosts: readonly string[], privateHosts: readonly string[] = [position]): GuardedFetch {
  return guardedFetch({
    policy: async () => ({ ok: true, value: { allowHosts: [], denyHosts, privateHosts } }),
    fetch: { public: fetch, private: fetch },
    userAgent: 'Satchel/test',
  })
}

/** The error of a failed search. */
async function refused(
  provider: SearchSetup['provider'],
  denyHosts: readonly string[] = [],
): Promise<unknown> {
  const found = await webSearch(setupOf(provider), net(denyHosts))('web', 'x', 3, CALL.signal)
  return found.ok ? null : found.error
}

async function reported(...of: Parameters<typeof ask>): Promise<string> {
  const { content } = await ask(...of)
  if (typeof content !== 'string') throw new Error('a search answers with text')
  return content
}

describe.each(PROVIDERS)('%s', (provider) => {
  test('finds pages', async () => {
    expect(await ask(setupOf(provider), { query: 'what there is' })).toEqual({
      content:
        '1. Page 1\n   https://site1.example.com/a?b=1\n   words 1\n\n' +
        '2. Page 2\n   https://site2.example.com/a?b=2\n   words 2\n\n' +
        '3. Page 3\n   https://site3.example.com/a?b=3\n   words 3',
      isError: false,
      untrusted: ['search:web'],
      notes: [{ type: 'links', page: null, links: expect.arrayContaining([1, 2, 3].map((n) => hit(n).url)) }],
    })
  })

  test('finds images', async () => {
    const content = await reported(setupOf(provider), { query: 'cats & dogs' }, IMAGE_SEARCH)
    const of = (n: number): string => `https://images.example.com/${n}.jpg`
    expect(content.match(/https:\/\/images\S+/g)).toEqual([of(1), of(2), of(3)])
    expect(content).toMatch(/^1\. \S/)
    if (provider !== 'tavily') expect(content).toContain('on https://site2.example.com/a?b=2')
  })

  test('returns no more than requested', async () => {
    engines.hits = Array.from({ length: 30 }, (_, n) => hit(n))
    const lines = async (input: object): Promise<number> =>
      (await reported(setupOf(provider), input)).match(/^\d+\. /gm)?.length ?? 0
    expect(await lines({ query: 'x' })).toBe(8)
    expect(await lines({ query: 'x', max_results: 2 })).toBe(2)
    expect(await lines({ query: 'x', max_results: 20 })).toBe(20)
  })

  test('finds nothing, and says so', async () => {
    engines.hits = []
    const none = await ask(setupOf(provider), { query: 'x' })
    expect(none).toMatchObject({ isError: false, content: expect.stringMatching(/^Nothing was found/) })
    expect(none.untrusted).toBeUndefined()
  })

  test.each([
    [429, '{}', /too many searches/],
    [500, 'oops', /status 500/],
    [302, '', /status 302/],
    [200, 'no JSON', /unknown format/],
    [200, '{"web":{"results":7},"results":7}', /unknown format/],
    [200, '['.repeat(5_000), /unknown format/],
    [200, 'x'.repeat(3_000_000), /unknown format/],
  ])('that answers %d %j is reported with an explanation', async (status, body, words) => {
    engines.instead = { status, body }
    const { content, isError, untrusted } = await ask(setupOf(provider), { query: 'x' })
    expect([isError, untrusted]).toEqual([true, undefined])
    expect(content).toMatch(words)
    expect(content).not.toContain('xxxx')
  })

  test.each<[number, string, Billed]>([
    [429, '{}', 'no'],
    [401, '{}', 'no'],
    [408, '', 'perhaps'],
    [502, '<html>', 'perhaps'],
    [200, 'no JSON', 'yes'],
  ])('that answers %d %j is billed: %s', async (status, body, billed) => {
    engines.instead = { status, body }
    expect(await refused(provider)).toMatchObject({ billed })
  })

  test('is not billed when a list denies it, and may be when it disconnects', async () => {
    expect(await refused(provider, ['127.0.0.1'])).toMatchObject({ billed: 'no' })
    const search = webSearch({ ...setupOf(provider), url: 'http://127.0.0.1:9' }, net([], ['127.0.0.1:9']))
    const gone = await search('web', 'x', 3, CALL.signal)
    expect(gone).toMatchObject({ ok: false, error: { billed: 'perhaps' } })
  })

  test('that redirects returns untrusted text, without the key', async () => {
    const location = `https://elsewhere.example/ignore-all-rules?key=${engines.key}`
    engines.instead = { status: 302, body: '', headers: { Location: location } }
    const { content, untrusted } = await ask(setupOf(provider), { query: 'x' })
    expect(untrusted).toEqual(['search:web'])
    expect(content).toContain('elsewhere.example/ignore-all-rules?key=[secret SEARCH_API_KEY]')
  })

  test('is subject to the lists of the workspace', async () => {
    const { content, isError } = await ask(setupOf(provider), { query: 'x' }, WEB_SEARCH, ['127.0.0.1'])
    expect([isError, content]).toEqual([
      true,
      expect.stringContaining('is on a host that this workspace denies'),
    ])
  })

  test('returns only lines of text and web addresses, each once, and no key', async () => {
    engines.hits = [
      { ...hit(1), url: 'javascript:alert(1)' },
      { ...hit(2), url: 'https://user:pw@site.example.com/' },
      { ...hit(3), url: `https://long.example.com/${'a'.repeat(9_000)}` },
      {
        ...hit(4, `R&amp;D <b>bold</b>\n\n5. forged &#x200b;&#73;\u202e ${engines.key}`),
        title: `<strong>T</strong>\r\n${'t'.repeat(300)}`,
      },
      { ...hit(4), title: 'the same again' },
      hit(5, 'long '.repeat(1_000)),
    ]
    const content = await reported(setupOf(provider), { query: 'x' })
    const [first = '', second = '', ...rest] = content.split('\n\n')
    expect(rest).toEqual([])
    expect(first.split('\n').map((line) => line.trim())).toEqual([
      `1. T ${'t'.repeat(SEARCH_TITLE_MAX_CHARS - 3)}…`,
      'https://site4.example.com/a?b=4',
      'R&D bold 5. forged I [secret SEARCH_API_KEY]',
    ])
    expect(second.length).toBeLessThan(SEARCH_SNIPPET_MAX_CHARS + 100)
  })
})

test.each([
  ['tavily', /SEARCH_API_KEY/],
  ['brave', /rejected the query or the key/],
] as const)('a key that %s does not accept is reported, and not shown', async (provider, words) => {
  const { content, isError } = await ask(setupOf(provider, 'a-wrong-key'), { query: 'x' })
  expect(isError).toBe(true)
  expect(content).toMatch(words)
  expect(content).not.toContain('a-wrong-key')
})

test('a query cannot control SearXNG', async () => {
  const sent: string[] = []
  const { web } = searxng(setupOf('searxng'))
  for (const query of ['!!g cats', 'cats !bing :de <3 wow!', '!important: 1<2', '!'])
    sent.push(new URL(web(query, 3).request.url).searchParams.get('q') ?? '')
  expect(sent).toEqual(['g cats', 'cats bing de 3 wow!', 'important: 1<2', ''])
})

test('a SearXNG without JSON output gives an error that names the setting', async () => {
  engines.instead = { status: 403, body: 'Forbidden' }
  expect((await ask(setupOf('searxng', null), { query: 'x' })).content).toContain('search.formats')
})

test.each([
  [{ query: '' }],
  [{ query: '   ' }],
  [{ query: 'x'.repeat(401) }],
  [{ query: 'word '.repeat(51) }],
  [{ query: 'x', max_results: 21 }],
  [{ query: 'x', site: 'y' }],
])('the input %j is refused before anything is sent', async (input) => {
  expect(await ask(setupOf('brave'), input)).toMatchObject({
    isError: true,
    content: expect.stringContaining('The input is not valid'),
  })
})

test('a thread that was created with a search says when it is gone', async () => {
  expect(await ask(null, { query: 'x' })).toMatchObject({
    isError: true,
    content: expect.stringContaining('no longer configured'),
  })
})

test.each([
  [{ SEARCH_PROVIDER: 'tavily' }, ['SEARCH_API_KEY: is required if SEARCH_PROVIDER is tavily']],
  [
    { SEARCH_PROVIDER: 'brave', SEARCH_URL: 'https://a.b' },
    ['SEARCH_API_KEY: is required if SEARCH_PROVIDER is brave'],
  ],
  [{ SEARCH_PROVIDER: 'searxng' }, ['SEARCH_URL: is required if SEARCH_PROVIDER is searxng']],
  [{ SEARCH_PROVIDER: 'searxng', SEARCH_URL: 'ftp://x' }, ['SEARCH_URL: must be an http or https address']],
  [{ SEARCH_PROVIDER: 'searxng', SEARCH_URL: 'http://127.0.0.1:8888/searx' }, []],
  [{ SEARCH_PROVIDER: 'brave', SEARCH_API_KEY: 'abcdefgh' }, []],
  [{ SEARCH_API_KEY: 'ab cd efgh' }, ['SEARCH_API_KEY: must be 8 or more ASCII characters without spaces']],
  [{ PRIVATE_HOSTS: '127.0.0.1:4010, tickets.local:443' }, []],
  [
    { PRIVATE_HOSTS: '127.0.0.1' },
    ['PRIVATE_HOSTS: "127.0.0.1" is not a host with a port, such as 127.0.0.1:4010'],
  ],
  [{ PRIVATE_HOSTS: '*:80' }, ['PRIVATE_HOSTS: "*:80" is not a host with a port, such as 127.0.0.1:4010']],
  [{ USER_AGENT: 'a\nb' }, ['USER_AGENT: must be ASCII text that is valid in a header']],
])('the variables %j are checked', (variables, faults) => {
  expect(variableFaults(variables)).toEqual(faults)
})
