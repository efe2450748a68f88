// Pages with reference articles, and the share of an article's words that the page reader extracts.

import { mkdtempSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'

import { Parser } from 'htmlparser2'
import { bundleRuntime } from '../../assets/bundle.ts'
import { RUNTIME_SOURCES } from '../../assets/runtimes.ts'
import { ROOT } from '../rig/keys.ts'

export interface ArticlePage {
  readonly name: string
  readonly html: Uint8Array
  readonly url: string
  /** The words of the article. */
  readonly words: readonly string[]
}

export interface ReadResult {
  readonly name: string
  readonly recall: number
  readonly precision: number
  readonly ms: number
}

export function pagesOf(folder: string): readonly ArticlePage[] {
  const truthFile = join(folder, 'ground-truth.json')
  if (existsSync(truthFile)) {
    // The format of the data set.
    const all = JSON.parse(readFileSync(truthFile, 'utf8')) as Record<
      string,
      { articleBody: string; url: string }
    >
    return Object.entries(all).map(([name, { articleBody, url }]) => ({
      name: name.slice(0, 12),
      html: gunzipSync(readFileSync(join(folder, 'html', `${name}.html.gz`))),
      url,
      words: wordsOf(articleBody),
    }))
  }
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'expected.html')))
    .map((name) => ({
      name,
      html: readFileSync(join(folder, name, 'source.html')),
      url: 'http://fakehost/test/page.html',
      words: wordsOf(textOf(readFileSync(join(folder, name, 'expected.html'), 'utf8'))),
    }))
}

function textOf(html: string): string {
  let text = ''
  let hiddenDepth = 0
  const parser = new Parser({
    onopentag(name) {
      if (name === 'script' || name === 'style') hiddenDepth += 1
      text += ' '
    },
    ontext: (piece) => (text += hiddenDepth > 0 ? '' : piece),
    onclosetag(name) {
      if (name === 'script' || name === 'style') hiddenDepth -= 1
      text += ' '
    },
  })
  parser.end(html)
  return text
}

/** Splits text into words. In scripts without spaces, each character counts as a word. */
function wordsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase()
  return folded.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []
}

/** The words of Markdown, without the targets of links and images. */
function shownText(markdown: string): readonly string[] {
  return wordsOf(markdown.replace(/\]\((?:<[^>]*>|[^)\s]*)\)/g, ' ').replaceAll('<br>', ' '))
}

/** The share of `wanted` that is contained in `found`, counting repetitions. */
function shareOf(wanted: readonly string[], found: readonly string[]): number {
  const remaining = new Map<string, number>()
  for (const word of found) remaining.set(word, (remaining.get(word) ?? 0) + 1)
  let matches = 0
  for (const word of wanted) {
    const count = remaining.get(word) ?? 0
    if (count > 0) matches += 1
    remaining.set(word, count - 1)
  }
  return wanted.length === 0 ? 1 : matches / wanted.length
}

type Reader = { readonly fetch: (request: Request) => Promise<Response> }

export async function readerOf(): Promise<Reader> {
  const runtime = RUNTIME_SOURCES['html']
  if (!runtime) throw new Error('there is no runtime for pages')
  const { code } = await bundleRuntime(ROOT, runtime)
  const folder = mkdtempSync(join(tmpdir(), 'satchel-readability-'))
  try {
    const file = join(folder, 'html.mjs')
    writeFileSync(file, code)
    const module: { readonly default: Reader } = await import(pathToFileURL(file).href)
    return module.default
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function readArticle(
  reader: Reader,
  { name, html, url, words }: ArticlePage,
): Promise<ReadResult> {
  const startedMs = performance.now()
  const address = `https://documents.local/html?base=${encodeURIComponent(url)}`
  const response = await reader.fetch(new Request(address, { method: 'POST', body: new Uint8Array(html) }))
  // The response of serve.ts.
  const { text = '', refused } = (await response.json()) as {
    readonly text?: string
    readonly refused?: string
  }
  if (refused !== undefined) process.stderr.write(`${name}: ${refused}\n`)
  const pageTerms = shownText(text)
  const ms = performance.now() - startedMs
  return { name, recall: shareOf(words, pageTerms), precision: shareOf(pageTerms, words), ms }
}
