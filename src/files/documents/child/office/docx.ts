// Converts a DOCX to text: headings, lists, tables, links and notes, in document order. With tracked changes, deletions
// are left out and insertions kept.

import { DocxBody } from './docx-body.ts'
import { Lists, Styles } from './docx-styles.ts'
import { Lines } from '../common/markdown.ts'
import { OutOfTime, DocumentRefused } from '../common/pace.ts'

import type { DocumentText } from '../../document.ts'
import type { Package, Relation } from './package.ts'
import type { XmlAttributes } from './xml.ts'

/** Length to which a header, footer, comment or note is truncated. */
const MARGINAL_TEXT_MAX_CHARS = 10_000
const ASK_FOR_PART = 'Ask the user for the relevant part.'

export async function readDocx(parts: Package): Promise<DocumentText> {
  const relations = await parts.relations(parts.main)
  const partOf = (type: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? ''
  const styles = await Styles.read(parts, partOf('styles'))
  const lists = await Lists.read(parts, partOf('numbering'))
  const lines = new Lines()
  const body = new DocxBody(styles, lists, relations, lines)
  let cut: string | null = null
  try {
    if (!(await parts.xml(parts.main, body))) cut = 'The document is damaged, so its text ends here.'
    body.end()
    for (const [type, element, idPrefix] of NOTES)
      if (body.notes.size > 0) await readNotes(parts, partOf(type), element, idPrefix, body.notes, lines)
    await readMarginalTexts(parts, relations, lines)
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    cut = `The document takes too long to read, so its text ends here. ${ASK_FOR_PART}`
  }
  if (lines.full) cut = `The text is longer than the limit for one document, so it ends here. ${ASK_FOR_PART}`
  const text = lines.text()
  if (text === '')
    throw new DocumentRefused(
      cut ??
        'The document has no text: it is empty, or consists of images, which cannot be read here. Ask the user for its text.',
    )
  return { text, parts: 1, cut }
}

/**
 * The kinds of notes: the type of the relation, the name of the element, and the prefix of their ids. Footnotes and endnotes are
 * numbered separately.
 */
const NOTES: readonly (readonly [type: string, element: string, idPrefix: string])[] = [
  ['footnotes', 'w:footnote', ''],
  ['endnotes', 'w:endnote', 'e'],
]

async function readNotes(
  parts: Package,
  part: string,
  element: string,
  idPrefix: string,
  noteIds: ReadonlySet<string>,
  lines: Lines,
): Promise<void> {
  let first = true
  await forEachText(parts, part, element, lines, (text, attributes) => {
    const id = `${idPrefix}${attributes?.get('w:id') ?? ''}`
    if (!noteIds.has(id)) return
    if (first) lines.gap()
    first = false
    lines.add(`[^${id}]: ${text}`)
  })
}

/**
 * Calls `onText` with the text of each element of this name, on one line, until the text limit is reached.
 */
async function forEachText(
  parts: Package,
  part: string,
  element: string,
  lines: Lines,
  onText: (text: string, attributes: XmlAttributes | null) => void,
): Promise<void> {
  let [text, inText] = ['', false]
  let opened: XmlAttributes | null = null
  await parts.xml(part, {
    open(name, attributes) {
      if (name === element) {
        opened = attributes
        text = ''
      }
      inText = name === 'w:t'
      if (name === 'w:p' || name === 'w:tab') text += ' '
    },
    text(piece) {
      if (inText && text.length < MARGINAL_TEXT_MAX_CHARS) text += piece
    },
    close(name) {
      inText = false
      if (name === element) onText(text.replace(/\s+/g, ' ').trim(), opened)
    },
    isDone: () => lines.full,
  })
}

/** The kinds of text outside the body: maps each relation type to its element name and a label. */
const MARGINAL_TEXTS: Readonly<Record<string, readonly [element: string, name: string]>> = {
  header: ['w:hdr', 'Header'],
  footer: ['w:ftr', 'Footer'],
  comments: ['w:comment', 'Comment'],
}
/** Number of parts with such text that are read. A document with many sections has many headers, most of them identical. */
const MARGINAL_TEXTS_MAX = 50

async function readMarginalTexts(
  parts: Package,
  relations: ReadonlyMap<string, Relation>,
  lines: Lines,
): Promise<void> {
  const printed = new Set<string>()
  const marginalTexts = [...relations.values()]
    .filter(({ type }) => type in MARGINAL_TEXTS)
    .slice(0, MARGINAL_TEXTS_MAX)
  for (const { type, target } of marginalTexts) {
    const [element, name] = MARGINAL_TEXTS[type] ?? ['', '']
    await forEachText(parts, target, element, lines, (text, attributes) => {
      const author = attributes?.get('w:author')
      const line = `${name}${author ? ` by ${author}` : ''}: ${text}`
      if (text === '' || printed.has(line)) return
      if (printed.size === 0) lines.gap()
      printed.add(line)
      lines.add(line)
    })
  }
}
