// Guards web_fetch: each kind of response becomes readable text, a long page goes to a file with an outline, a fault is
// explained, and text from outside is marked.

import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../../src/agent/tool.ts'
import type { DocumentHints, DocumentReader } from '../../../src/files/documents/document.ts'
import { base64, utf8 } from '../../../src/lib/bytes.ts'
import { err, ok } from '../../../src/lib/result.ts'
import {
  WEB_CACHE_MAX_AGE_MS,
  WEB_FETCH_MAX_BYTES,
  WEB_REDIRECTS_MAX,
} from '../../../src/tools/web/limits.ts'
import type { GuardedResponse, FetchTerms, GuardedFetch, Outgoing } from '../../../src/net/fetch.ts'
import { WEB_FETCH } from '../../../src/tools/web/web-fetch.ts'
import { FakeFiles } from '../../fakes/files.ts'
import { png } from '../../fakes/images.ts'
import { toolContext } from '../../fakes/tool-context.ts'

const PNG_BYTES = Uint8Array.from(atob(png().source.data), (char) => char.charCodeAt(0))

interface Served {
  readonly body: string | Uint8Array
  readonly type?: string
  readonly status?: number
  readonly url?: string
  readonly cut?: boolean
}

class Rig {
  readonly requested: { readonly request: Outgoing; readonly terms: FetchTerms }[] = []
  readonly read: { readonly kind: string; readonly hints: DocumentHints | undefined }[] = []
  readonly files = new FakeFiles()
  time = 0
  readonly #pages: Readonly<Record<string, Served>>
  #text = '# A page\n\nIts words.'
  #links: readonly string[] = []

  constructor(pages: Readonly<Record<string, Served>>) {
    this.#pages = pages
  }

  reads(text: string, links: readonly string[] = []): this {
    this.#text = text
    this.#links = links
    return this
  }

  readonly net: GuardedFetch = async (request, terms) => {
    this.requested.push({ request, terms })
    const page = this.#pages[request.url]
    if (!page) return err({ code: 'unreachable', detail: `${request.url} cannot be reached.`, sent: false })
    const body = typeof page.body === 'string' ? utf8(page.body) : page.body
    const answer: GuardedResponse = {
      status: page.status ?? 200,
      url: page.url ?? request.url,
      headers: page.type === undefined ? {} : { 'content-type': page.type },
      body,
      cut: page.cut ?? false,
    }
    return ok(answer)
  }

  readonly documents: DocumentReader = {
    read: async (kind, bytes, _, hints) => {
      this.read.push({ kind, hints })
      if (bytes.includes(0x7e)) return err('It cannot be read.')
      const links = kind === 'html' ? { links: this.#links } : {}
      return ok({ text: this.#text, parts: 1, cut: null, ...links })
    },
  }

  async fetch(input: object, mayRedirect?: (url: URL) => boolean): Promise<ToolResult> {
    const { net, files, documents } = this
    const tool = WEB_FETCH.make(toolContext({ net, files, documents, now: () => this.time }))
    const result = await tool.run(input, {
      runId: 'r',
      toolUseId: 't',
      idempotencyKey: 'r:t',
      signal: new AbortController().signal,
      progress: () => {},
      ...(mayRedirect ? { mayRedirect } : {}),
    })
    await files.apply(result.changes)
    return result
  }
}

const URL_A = 'https://example.com/a'

describe('an answer', () => {
  it('that is a page is Markdown in a frame with its last URL, and its links are stored', async () => {
    const links = ['https://example.com/b']
    const rig = new Rig({
      [URL_A]: {
        body: '<p>x',
        type: 'text/html; charset="windows-1252"',
        url: 'https://www.example.com/a?b&c',
      },
    })
    const result = await rig.reads('Its words.', links).fetch({ url: `${URL_A}#place` })
    expect(result).toEqual({
      content: 'Its words.',
      frame: { before: '<web_page url="https://www.example.com/a?b&amp;c">\n', after: '\n</web_page>' },
      isError: false,
      notes: [{ type: 'links', page: 'https://www.example.com/a?b&c', links }],
      changes: [],
      untrusted: ['web:example.com', 'web:www.example.com'],
    })
    expect(rig.read).toEqual([
      { kind: 'html', hints: { base: 'https://www.example.com/a?b&c', charset: 'windows-1252' } },
    ])
    expect(rig.requested).toMatchObject([
      {
        request: { method: 'GET', url: URL_A, headers: {}, body: null },
        terms: { maxBytes: WEB_FETCH_MAX_BYTES, maxRedirects: WEB_REDIRECTS_MAX },
      },
    ])
  })

  it.each([
    ['text', { body: 'plain', type: 'text/plain' }, 'plain'],
    ['CSV unchanged', { body: 'a,b\n1,2', type: 'text/csv' }, 'a,b\n1,2'],
    ['Markdown unchanged', { body: '# T\n*x*', type: 'text/markdown' }, '# T\n*x*'],
    ['JSON with an indent', { body: '{"a":[1]}', type: 'application/json' }, '{\n  "a": [\n    1\n  ]\n}'],
    ['invalid JSON', { body: '{"a":', type: 'application/ld+json' }, '{"a":'],
    ['text without a content type', { body: 'plain' }, 'plain'],
    ['text in another charset', { body: Uint8Array.from([0x63, 0xe9]), type: 'text/plain' }, 'cé'],
    ['nothing', { body: '', type: 'text/plain' }, '[The page is empty.]'],
    [
      'more than the limit',
      { body: 'plain', type: 'text/plain', cut: true },
      'plain\n[Only its first 5 bytes were fetched.]',
    ],
  ] as const)('that is %s is shown', async (_, served, text) => {
    const rig = new Rig({ [URL_A]: served })
    expect(await rig.fetch({ url: URL_A })).toMatchObject({ isError: false, content: text })
    expect(rig.read).toEqual([])
  })

  it.each([
    ['PDF', { body: '%PDF-1.7 x', type: 'text/html' }, 'pdf'],
    ['page without a content type', { body: '\n<!DOCTYPE html><p>x' }, 'html'],
    ['page declared as text', { body: '<html><p>x', type: 'text/plain' }, 'html'],
  ] as const)('that is a %s by its bytes is passed to its reader', async (_, served, kind) => {
    const rig = new Rig({ [URL_A]: served })
    expect(await rig.fetch({ url: URL_A })).toMatchObject({ isError: false })
    expect(rig.read[0]?.kind).toBe(kind)
  })

  it('that is an image is a block', async () => {
    const rig = new Rig({ [URL_A]: { body: PNG_BYTES, type: 'application/octet-stream' } })
    const data = base64(PNG_BYTES)
    expect(await rig.fetch({ url: URL_A })).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
      untrusted: ['web:example.com'],
    })
  })

  it.each([
    [
      { body: Uint8Array.from([0x50, 0x4b, 3, 4, 0]), type: 'application/zip' },
      'the type application/zip and a size of 5 bytes',
    ],
    [{ body: 'RIFFxxxxWAVE', type: 'audio/wav' }, 'the type audio/wav'],
    [{ body: '\x00\x01' }, 'no declared type'],
    [{ body: PNG_BYTES.subarray(0, 30), type: 'image/png' }, 'It is an image'],
  ] as const)('that cannot be shown says what it is (%#)', async (served, words) => {
    const result = await new Rig({ [URL_A]: served }).fetch({ url: URL_A })
    expect(result).toMatchObject({ isError: false, content: expect.stringContaining(words) })
  })
})

describe('a fault', () => {
  it('of the connection is reported as such, and is not text from outside if nothing was sent', async () => {
    const result = await new Rig({}).fetch({ url: URL_A })
    expect(result).toEqual({ isError: true, content: `${URL_A} cannot be reached.` })
  })

  it('of the server is its status with the beginning of its text', async () => {
    const rig = new Rig({
      [URL_A]: { body: `Not here.\n${'x'.repeat(5_000)}`, type: 'text/plain', status: 404 },
    })
    const result = await rig.fetch({ url: URL_A })
    expect(result).toMatchObject({ isError: true, untrusted: ['web:example.com'] })
    expect(result.content).toContain('responded with status 404. The page says: Not here.')
    expect(result.content.length).toBeLessThan(700)
  })

  it('of a document is the error of its reader', async () => {
    const rig = new Rig({ [URL_A]: { body: '%PDF-1.7 ~', type: 'application/pdf' } })
    expect(await rig.fetch({ url: URL_A })).toMatchObject({
      isError: true,
      content: `${URL_A}: It cannot be read.`,
    })
  })

  it('of size is reported for a document, because a part of one is not a document', async () => {
    const rig = new Rig({ [URL_A]: { body: '%PDF-1.7', type: 'application/pdf', cut: true } })
    expect(await rig.fetch({ url: URL_A })).toMatchObject({
      isError: true,
      content: expect.stringContaining('larger'),
    })
  })

  it.each(['example.com', 'ftp://example.com/', 'data:text/html,x', 'javascript:x'])(
    'of the URL %s sends no request',
    async (url) => {
      const rig = new Rig({})
      expect(await rig.fetch({ url })).toMatchObject({
        isError: true,
        content: expect.stringContaining('https://'),
      })
      expect(rig.requested).toEqual([])
      expect(WEB_FETCH.preview?.({ url })).toBeNull()
    },
  )
})

const LONG = [
  '# Manual',
  ...['Oil', 'Brakes', 'Lamps'].map(
    (name) => `\n## ${name}\n\n${`The ${name.toLowerCase()} are kept well here.\n`.repeat(400)}`,
  ),
].join('\n')

describe('a long page', () => {
  const rig = (): Rig => new Rig({ [URL_A]: { body: '<p>', type: 'text/html' } }).reads(LONG)

  it('is a file in full, and the result has its outline and its beginning', async () => {
    const web = rig()
    const { content } = await web.fetch({ url: URL_A })
    const [row] = web.files.list()
    expect(row?.path).toMatch(/^workspace\/web\/example\.com\/a-[0-9a-f]{8}\.md$/)
    expect(row && (await web.files.read(row))).toEqual(ok(utf8(LONG)))
    // Reading the outline does not count as reading the file, so the model still cannot overwrite it.
    expect(row?.known).toBe(false)
    expect(content).toContain(`/mnt/user-data/${row?.path}`)
    expect(content).toMatch(/line 1: Manual\n {2}line 3: Oil\n {2}line 40\d: Brakes\n/)
    expect(content).toContain('[Beginning of the page:]\n\n# Manual')
    expect(content.length).toBeLessThan(8_000)
  })

  it('returns the sections that match the prompt, by words', async () => {
    const { content } = await rig().fetch({ url: URL_A, prompt: 'How do I keep the brake?' })
    expect(content).toContain('[Sections that match the prompt best:]')
    expect(content).toContain('## Brakes')
    expect(content).not.toContain('The lamps are')
  })

  it('says when nothing matches', async () => {
    const { content } = await rig().fetch({ url: URL_A, prompt: 'zebra' })
    expect(content).toContain('[The page contains no term from the prompt. Beginning of the page:]')
  })

  it('that cannot be stored is shown in part, with the reason', async () => {
    const web = rig()
    web.files.refusal = 'There is no room.'
    const { content, isError } = await web.fetch({ url: URL_A })
    expect(isError).toBe(false)
    expect(content).toContain('could not be stored as a file: There is no room.')
  })

  it('is stored once, however often it is fetched', async () => {
    const web = rig()
    await web.fetch({ url: URL_A })
    const again = await web.fetch({ url: URL_A, prompt: 'lamps' })
    expect(again.changes).toEqual([])
    expect(again.content).toContain('## Lamps')
  })
})

it('follows redirects only where the call may go', async () => {
  const rig = new Rig({ [URL_A]: { body: 'x' } })
  const mayRedirect = (): boolean => false
  await rig.fetch({ url: URL_A }, mayRedirect)
  expect(rig.requested[0]?.terms.mayRedirect).toBe(mayRedirect)
})

it('caches a page for some minutes, and no fault', async () => {
  const rig = new Rig({ [URL_A]: { body: 'x', type: 'text/plain' } })
  await rig.fetch({ url: URL_A })
  await rig.fetch({ url: `${URL_A}#b`, prompt: 'x' })
  expect(rig.requested).toHaveLength(1)
  rig.time = WEB_CACHE_MAX_AGE_MS + 1
  await rig.fetch({ url: URL_A })
  await rig.fetch({ url: 'https://example.com/none' })
  await rig.fetch({ url: 'https://example.com/none' })
  expect(rig.requested).toHaveLength(4)
})

it('shows a person the request to be sent', () => {
  expect(WEB_FETCH.preview?.({ url: 'HTTPS://Example.com/a?b=c#d' })).toEqual({
    kind: 'fetch',
    method: 'GET',
    url: 'https://example.com/a?b=c',
    headers: {},
    body: null,
  })
  expect(WEB_FETCH.preview?.({ url: 7 })).toBeNull()
})
