// Hides Markdown syntax that is still incomplete, which would appear as characters and vanish a moment later. Pure. Never changes
// the source, and never a finished text.

/** A last line of markers only: it may become a list, a rule, a heading or a fence. */
const ONLY_MARKS = /(^|\n)[ \t]*(?:[-=+*_#>`~|:]+|\d{1,9}[.)]?)[ \t]*$/
/** A table row without the delimiter line, or with half of it. */
const HALF_TABLE = /(^|\n)( {0,3}\|[^\n]*)(\n[ \t]*\|?[-:| \t]*)?$/
/** `[text](htt` or `![alt`: shows the text, and no picture yet. */
const HALF_LINK = /!?\[([^\][\n]*)\]\([^()\s]*$/
const HALF_IMAGE = /!\[[^\]\n]*$/

/** `open`: the open block, from its first line. */
export function tidied(open: string): string {
  let text = open.replace(ONLY_MARKS, '')
  if (/(?:^|\n)[ \t]*(?:`{3}|~{3})/.test(text)) return text
  text = withoutHalfTable(text)
  const paragraph = text.slice(lastBreak(text))
  if (paragraph.trim() === '') return text
  return text.slice(0, text.length - paragraph.length) + closed(paragraph)
}

/** Where the last paragraph or list item starts: inline syntax does not span it. */
function lastBreak(text: string): number {
  const at = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n- '), text.lastIndexOf('\n* '))
  return Math.max(at, 0)
}

function withoutHalfTable(text: string): string {
  const half = HALF_TABLE.exec(text)
  if (!half) return text
  const before = text.slice(0, half.index)
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1)
  // Below another row it belongs to an existing table.
  return lineBefore.trimStart().startsWith('|') ? text : before
}

/** The paragraph with its open inline syntax closed. */
function closed(paragraph: string): string {
  const text = paragraph.replace(HALF_LINK, '$1').replace(HALF_IMAGE, '')
  const withoutCode = text.replace(/`[^`]*`/g, '')
  if (withoutCode.includes('`')) return text.endsWith('`') ? text.slice(0, -1) : `${text}\``
  for (const mark of ['**', '~~', '__']) {
    if (withoutCode.split(mark).length % 2 === 1) continue
    const half = text.endsWith(mark[0] ?? '') ? text.replace(/[*~_]+$/, '') : text.trimEnd()
    return half.split(mark).length % 2 === 0 ? half + mark : half
  }
  return text
}
