// What is shown of Markdown that is still written: marks whose end has not come would stand there as signs, and jump away
// a moment later. Pure; the text itself is never changed, and a finished one is never tidied.

/** A last line of signs alone: it can become a list, a line, a heading, a fence. It says nothing yet. */
const ONLY_MARKS = /(^|\n)[ \t]*(?:[-=+*_#>`~|:]+|\d{1,9}[.)]?)[ \t]*$/
/** A row of signs without the line that makes a table of it, or with half of that. */
const HALF_TABLE = /(^|\n)( {0,3}\|[^\n]*)(\n[ \t]*\|?[-:| \t]*)?$/
/** `[words](htt`, `![alt`: the words alone, and no picture yet. */
const HALF_LINK = /!?\[([^\][\n]*)\]\([^()\s]*$/
const HALF_IMAGE = /!\[[^\]\n]*$/

/** `open`: the block that is written, from its first line. */
export function tidied(open: string): string {
  let text = open.replace(ONLY_MARKS, '')
  if (/(?:^|\n)[ \t]*(?:`{3}|~{3})/.test(text)) return text
  text = withoutHalfTable(text)
  const paragraph = text.slice(lastBreak(text))
  if (paragraph.trim() === '') return text
  return text.slice(0, text.length - paragraph.length) + closed(paragraph)
}

/** Where its last paragraph or item of a list begins: marks do not reach over that. */
function lastBreak(text: string): number {
  const at = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n- '), text.lastIndexOf('\n* '))
  return Math.max(at, 0)
}

function withoutHalfTable(text: string): string {
  const half = HALF_TABLE.exec(text)
  if (!half) return text
  const before = text.slice(0, half.index)
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1)
  // Below another row it is one of a table that is there.
  return lineBefore.trimStart().startsWith('|') ? text : before
}

/** The paragraph with the marks closed that it left open. */
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
