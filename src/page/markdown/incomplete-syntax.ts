// Hides incomplete Markdown syntax in growing text, whose characters would appear and vanish a moment later. Pure. Used only for
// display, and never for finished text.

/** A last line that contains only markers. It may become a list, a rule, a heading or a fence. */
const MARKERS_ONLY = /(^|\n)[ \t]*(?:[-=+*_#>`~|:]+|\d{1,9}[.)]?)[ \t]*$/
/** A table row at the end, without a delimiter line or with an incomplete one. */
const PARTIAL_TABLE = /(^|\n)( {0,3}\|[^\n]*)(\n[ \t]*\|?[-:| \t]*)?$/
/** An incomplete link such as `[text](htt`, of which only the text is shown. */
const PARTIAL_LINK = /!?\[([^\][\n]*)\]\([^()\s]*$/
/** An incomplete image such as `![alt`, which is hidden. */
const PARTIAL_IMAGE = /!\[[^\]\n]*$/

const OPENING_DELIMITERS = [
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const

/** `blockSource`: the source of the block that is still growing. */
export function hideIncompleteSyntax(blockSource: string): string {
  let text = blockSource.replace(MARKERS_ONLY, '')
  if (/(?:^|\n)[ \t]*(?:`{3}|~{3})/.test(text)) return text
  text = withoutPartialTable(text)
  const paragraph = text.slice(lastBreak(text))
  if (paragraph.trim() === '') return text
  return text.slice(0, text.length - paragraph.length) + closeInlineSyntax(paragraph)
}

/** Where the last paragraph or list item starts: inline syntax does not span it. */
function lastBreak(text: string): number {
  const index = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n- '), text.lastIndexOf('\n* '))
  return Math.max(index, 0)
}

function withoutPartialTable(text: string): string {
  const match = PARTIAL_TABLE.exec(text)
  if (!match) return text
  const before = text.slice(0, match.index)
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1)
  // If there is another row above, the row belongs to an existing table.
  return lineBefore.trimStart().startsWith('|') ? text : before
}

/** The paragraph with its open emphasis and code spans closed, and incomplete links and images removed. */
function closeInlineSyntax(paragraph: string): string {
  const text = withoutPartialFormula(paragraph).replace(PARTIAL_LINK, '$1').replace(PARTIAL_IMAGE, '')
  const withoutCode = withoutFormulas(text.replace(/`[^`]*`/g, ''))
  if (withoutCode.includes('`')) return text.endsWith('`') ? text.slice(0, -1) : `${text}\``
  for (const marker of ['**', '~~', '__']) {
    if (withoutCode.split(marker).length % 2 === 1) continue
    const trimmed = text.endsWith(marker[0] ?? '') ? text.replace(/[*~_]+$/, '') : text.trimEnd()
    return trimmed.split(marker).length % 2 === 0 ? trimmed + marker : trimmed
  }
  return text
}

/** The paragraph without a formula at its end that is not complete. */
function withoutPartialFormula(paragraph: string): string {
  for (const [opening, closing] of OPENING_DELIMITERS) {
    const start = paragraph.lastIndexOf(opening)
    if (start >= 0 && !paragraph.includes(closing, start)) return paragraph.slice(0, start)
  }
  return paragraph
}

/** The paragraph without its formulas, whose characters are not Markdown syntax. */
function withoutFormulas(paragraph: string): string {
  let kept = ''
  let position = 0
  for (;;) {
    const start = paragraph.indexOf('\\(', position)
    const end = start < 0 ? -1 : paragraph.indexOf('\\)', start)
    if (end < 0) return kept + paragraph.slice(position)
    kept += paragraph.slice(position, start)
    position = end + 2
  }
}
