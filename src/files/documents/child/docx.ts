// A DOCX into text: headings, lists, tables, links and notes, in the order in which they stand. What was deleted with changes
// tracked is left out, what was inserted stands.

import { DocxBody } from './docx-body.ts'
import { Lists, Styles } from './docx-styles.ts'
import { Lines } from './markdown.ts'
import { OutOfTime, Refused } from './pace.ts'

import type { DocumentText } from '../document.ts'
import type { Package } from './package.ts'

const REST = 'Ask for the part that matters.'

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
    if (!(await parts.xml(parts.main, body))) cut = 'The document is damaged: its text breaks off here.'
    body.end()
    for (const [type, element, mark] of NOTES) {
      const part = partOf(type)
      if (lines.full || body.notes.size === 0 || !parts.has(part)) continue
      await readNotes(parts, part, element, mark, body.notes, lines)
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    cut = `The document takes too long to read: its text ends here. ${REST}`
  }
  if (lines.full) cut = `The text is longer than what one document gives: it ends here. ${REST}`
  const text = lines.text()
  if (text === '')
    throw new Refused(
      cut ??
        'The document holds no text: it is empty, or made of images, which cannot be read here. Ask for its text.',
    )
  return { text, parts: 1, cut }
}

/** Which relation leads to them, what each is, and how it is referred to: endnotes and footnotes count apart. */
const NOTES: readonly (readonly [type: string, element: string, mark: string])[] = [
  ['footnotes', 'w:footnote', ''],
  ['endnotes', 'w:endnote', 'e'],
]

async function readNotes(
  parts: Package,
  part: string,
  element: string,
  mark: string,
  wanted: ReadonlySet<string>,
  lines: Lines,
): Promise<void> {
  let [id, text, inText, first] = ['', '', false, true]
  await parts.xml(part, {
    open(name, attributes) {
      if (name === element) {
        id = `${mark}${attributes.get('w:id') ?? ''}`
        text = ''
      }
      inText = name === 'w:t'
      if (name === 'w:p' && text !== '') text += ' '
    },
    text(piece) {
      if (inText && text.length < 10_000) text += piece
    },
    close(name) {
      inText = false
      if (name !== element || !wanted.has(id)) return
      if (first) lines.gap()
      first = false
      lines.add(`[^${id}]: ${text.replace(/\s+/g, ' ').trim()}`)
    },
    enough: () => lines.full,
  })
}
