// Converts a web page to Markdown: its article or, if it has none, its body, preceded by title, author and date. Lists the links
// separately.

import { decodeText } from '../../../../lib/charset.ts'
import { HTML_LINKS_MAX } from '../../../../limits/files.ts'
import { HTML_MAX_BYTES } from './limits.ts'
import type { DocumentHints, DocumentText } from '../../document.ts'
import { Lines } from '../common/markdown.ts'
import { OutOfTime, DocumentRefused, type TimeBudget } from '../common/pace.ts'
import { withoutFragment } from './address.ts'
import { articleOf, type About } from './article.ts'
import { HtmlBlocks } from './blocks.ts'
import { metaCharset } from './charset.ts'
import { elementsOf, type DomDocument, type DomElement } from './dom.ts'
import { parseHTML } from './libraries.ts'
import { countTexts } from './steps.ts'
import { PageText } from './text.ts'
import { pageTree } from './tree.ts'

const ANCHORS: ReadonlySet<string> = new Set(['a'])

export async function readHtml(
  bytes: Uint8Array,
  pace: TimeBudget,
  hints: DocumentHints,
): Promise<DocumentText> {
  const text = decodeText(bytes.subarray(0, HTML_MAX_BYTES), [hints.charset ?? null, metaCharset(bytes)])
  await pace.yieldNow()
  if (text.trim() === '') throw new DocumentRefused('The page is empty.')
  const base = hints.base ?? null
  const { document, about, root, ...page } = await parsePage(text, base, pace)
  const content = root ?? document.body
  const links = linksOf(content, page.links)
  const lines = new Lines()
  addHeading(lines, about)
  const blocks = new HtmlBlocks(pace.deadline)
  const isComplete = await convertContent(new PageText(document, blocks, lines, pace), content)
  const pageText = withoutRepeatedTitle(lines.text(), about.title)
  if (pageText.replace(`# ${about.title}`, '').trim() === '')
    throw new DocumentRefused(
      'The page has no readable text: it is built by scripts, which are not run here, or it contains only images.',
    )
  const cut = page.cut || lines.full
  return { text: pageText, parts: 1, cut: cutMessage(bytes.length, cut, isComplete), links }
}

interface ParsedPage {
  readonly document: DomDocument
  readonly about: About
  /** The root of the article, or null if none was found. */
  readonly root: DomElement | null
  readonly links: readonly string[]
  readonly cut: boolean
}

async function parsePage(text: string, base: string | null, pace: TimeBudget): Promise<ParsedPage> {
  const { document, links, visibleChars, cut } = await pageTree(text, base, false, emptyDocument(), pace)
  const titleElementText = elementsOf(document.head, new Set(['title']))[0]?.textContent ?? ''
  const { about, root } = articleOf(document, visibleChars, pace.deadline)
  await pace.yieldNow()
  const shared = {
    about: { ...about, title: about.title || titleElementText.replace(/\s+/g, ' ').trim().slice(0, 300) },
    links,
  }
  if (root) return { ...shared, document, root, cut }
  // The search for an article has modified the tree, so the body needs a new one.
  const bodyTree = await pageTree(text, base, true, emptyDocument(), pace)
  return { ...shared, document: bodyTree.document, root: null, cut: bodyTree.cut }
}

let areTextsCounted = false

function emptyDocument(): DomDocument {
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>')
  if (!areTextsCounted) countTexts(document.createElement('p'))
  areTextsCounted = true
  return document as unknown as DomDocument // linkedom's types expect a browser's DOM, which the Worker's types lack
}

function addHeading(lines: Lines, { title, byline, date, site }: About): void {
  if (title !== '') lines.add(`# ${title}`)
  const facts = [byline, date, site].filter((fact) => fact !== '')
  if (facts.length > 0) {
    lines.gap()
    lines.add(facts.join(' · '))
  }
}

/** Removes a repeated title at the beginning, because articles often begin with the title that the header already shows. */
function withoutRepeatedTitle(text: string, title: string): string {
  const first = `# ${title}\n`
  if (title === '' || !text.startsWith(first)) return text
  const repeatedAt = text.indexOf(`\n${first}`)
  return repeatedAt === -1 || repeatedAt > first.length + 500
    ? text
    : `${first}${text.slice(first.length, repeatedAt)}${text.slice(repeatedAt + 1 + first.length)}`
}

/** Converts the content. Returns false if the time ran out before the end of the content. */
async function convertContent(text: PageText, content: DomElement): Promise<boolean> {
  try {
    await text.walk(content)
    return true
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return false
  }
}

/** The visible links of the page, with those of its article first. */
function linksOf(content: DomElement, links: readonly string[]): readonly string[] {
  const visibleLinks = new Set(links)
  const contentLinks = elementsOf(content, ANCHORS)
    .map((anchor) => withoutFragment(anchor.getAttribute('href') ?? ''))
    .filter((href) => visibleLinks.has(href))
  return [...new Set([...contentLinks, ...links])].slice(0, HTML_LINKS_MAX)
}

function cutMessage(bytes: number, cut: boolean, isComplete: boolean): string | null {
  if (bytes > HTML_MAX_BYTES) return `Only the first ${HTML_MAX_BYTES} of its ${bytes} bytes were read.`
  if (!isComplete) return 'The page took too long to read, so its end is missing.'
  return cut ? 'The page is longer than the limit, so its end is missing.' : null
}
