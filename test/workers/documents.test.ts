// Guards the text of documents: files of real producers are read correctly, in a separate isolate, by the same path as
// in the Worker.

import { env } from 'cloudflare:workers'
import { expect, inject, it } from 'vitest'
import { documentKind } from '../../src/files/documents/kind.ts'
import { documentReader } from '../../src/files/documents/reader.ts'
import { DOCUMENT_MAX_BYTES } from '../../src/files/documents/limits.ts'

const NEVER = new AbortController().signal
const FIXTURES = inject('documents')

function bytesOf(name: string): Uint8Array {
  return Uint8Array.from(atob(FIXTURES[name] ?? ''), (char) => char.charCodeAt(0))
}

async function read(name: string): Promise<unknown> {
  const bytes = bytesOf(name)
  const kind = documentKind(name, bytes.subarray(0, 1_024))
  if (kind === null) return 'no document'
  return documentReader(env.LOADER, env.ASSETS ?? null).read(kind, bytes, { signal: NEVER })
}

const TEXTS = Object.keys(FIXTURES)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => name.slice(0, -'.md'.length))

it.each(TEXTS)('reads %s as its text', async (name) => {
  const expected = new TextDecoder().decode(bytesOf(`${name}.md`))
  const answer = await read(name)
  expect(answer).toMatchObject({ ok: true, value: { cut: null } })
  // Every fixture has the same headings, by which its parts are counted.
  const { value } = answer as { readonly value: { readonly text: string; readonly parts: number } } // as just checked
  expect(`${value.text}\n`).toBe(expected)
  expect(value.parts).toBe(Math.max(1, expected.match(/^## (Page|Sheet) /gm)?.length ?? 0))
})

it('has a text for at least three producers of each kind', () => {
  const count = (ending: string): number => TEXTS.filter((name) => name.endsWith(ending)).length
  for (const ending of ['.pdf', '.docx', '.xlsx', 'sv']) expect(count(ending)).toBeGreaterThanOrEqual(3)
})

it('reports a password-protected document', async () => {
  expect(await read('password.pdf')).toEqual({ ok: false, error: expect.stringContaining('password') })
})

it('reads a workbook as a workbook, whatever its name', async () => {
  const answer = await documentReader(env.LOADER, env.ASSETS ?? null).read('docx', bytesOf('openpyxl.xlsx'), {
    signal: NEVER,
  })
  expect(answer).toMatchObject({ ok: true, value: { parts: 3 } })
})

it('says how to fix a server without the parsers', async () => {
  const nothing = { fetch: async () => new Response(null, { status: 404 }) }
  for (const assets of [null, nothing as unknown as Fetcher])
    // the cast is safe: only `fetch` is used
    expect(
      await documentReader(env.LOADER, assets).read('csv', bytesOf('tabs.tsv'), { signal: NEVER }),
    ).toEqual({
      ok: false,
      error: expect.stringContaining('scripts/assets.ts'),
    })
})

it('reads again once missing parsers are there', async () => {
  const assets = env.ASSETS
  if (!assets) throw new Error('the tests have the static files')
  const code = await assets.fetch('https://assets.local/runtimes/manifest.json')
  const { documents } = await code.json<{ readonly documents: string }>()
  let missing = true
  const late = {
    fetch: async (url: string) => {
      if (url.endsWith('manifest.json')) return Response.json({ documents: '/runtimes/late.js' })
      return missing ? new Response(null, { status: 404 }) : assets.fetch(`https://assets.local${documents}`)
    },
  }
  const reader = documentReader(env.LOADER, late as unknown as Fetcher) // the cast is safe: only `fetch` is used
  expect(await reader.read('csv', bytesOf('tabs.tsv'), { signal: NEVER })).toMatchObject({ ok: false })
  missing = false
  expect(await reader.read('csv', bytesOf('tabs.tsv'), { signal: NEVER })).toMatchObject({ ok: true })
})

it('refuses a file above the limit unread, and one whose request was cancelled', async () => {
  const reader = documentReader(env.LOADER, env.ASSETS ?? null)
  expect(await reader.read('csv', new Uint8Array(DOCUMENT_MAX_BYTES + 1), { signal: NEVER })).toEqual({
    ok: false,
    error: expect.stringContaining(String(DOCUMENT_MAX_BYTES)),
  })
  expect(await reader.read('pdf', bytesOf('chromium.pdf'), { signal: AbortSignal.abort() })).toEqual({
    ok: false,
    error: 'Reading the document was cancelled.',
  })
  expect(await read('tabs.tsv')).toMatchObject({ ok: true })
})

it('serves the parsers so that no browser runs them', async () => {
  const assets = env.ASSETS
  if (!assets) throw new Error('the tests have the static files')
  const manifest = await assets.fetch('https://assets.local/runtimes/manifest.json')
  const { pdf } = await manifest.json<{ readonly pdf: string }>()
  const response = await assets.fetch(`https://assets.local${pdf}`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(response.headers.get('content-disposition')).toBe('attachment')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  await response.body?.cancel()
})
