// Wraps and truncates text by display width, preserving styles.

import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** The minimum width to which untrusted text is wrapped, even in a narrower window. */
const MIN_COLUMNS = 16

/** At least one line, each of at most `width` columns. Breaks between words, and inside words that are longer. */
export function wrapped(text: string, width: number): readonly string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split('\n')
}

/**
 * Wraps text with a hanging indent: `firstPrefix` precedes the first line, and `nextPrefix` (by default spaces) all
 * others.
 */
export function wrapHanging(
  text: string,
  width: number,
  firstPrefix: string,
  nextPrefix = ' '.repeat(stringWidth(firstPrefix)),
): readonly string[] {
  const innerWidth = width - Math.max(stringWidth(firstPrefix), stringWidth(nextPrefix))
  return wrapped(text, innerWidth).map((line, index) => `${index === 0 ? firstPrefix : nextPrefix}${line}`)
}

/**
 * Wraps untrusted text so that every row begins with `bar`, even in a terminal that draws some characters too wide.
 * Breaks at spaces if possible and drops nothing.
 */
export function wrapWithBar(text: string, width: number, bar: string): readonly string[] {
  const innerWidth = Math.max(MIN_COLUMNS, width - bar.length)
  return text.split('\n').flatMap((line) => {
    const rows: string[] = []
    let row = ''
    let columns = 0
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      const segmentColumns = columnsAtMost(segment)
      if (columns + segmentColumns > innerWidth && row !== '') {
        const wordStart = row.lastIndexOf(' ') + 1
        const end = wordStart > row.length / 2 ? wordStart : row.length
        rows.push(row.slice(0, end))
        row = row.slice(end)
        columns = columnsAtMost(row)
      }
      row += segment
      columns += segmentColumns
    }
    return [...rows, row].map((row) => bar + row)
  })
}

/** The maximum width of a text in any terminal. They differ in the width of emoji, East Asian characters and marks. */
function columnsAtMost(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (char === '\t' ? 8 : /[ -~]/.test(char) ? 1 : 2), 0)
}

/** Truncates a line to `width` columns, with an ellipsis if something is missing. `text` must have no styles. */
export function truncateTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let truncated = ''
  let columns = 1 // The ellipsis takes one column.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += stringWidth(segment)
    if (columns > width) break
    truncated += segment
  }
  return `${truncated}…`
}

/** Pads a text with spaces to `width` columns, on the left if `right` is true. */
export function padded(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? `${blanks}${text}` : `${text}${blanks}`
}

export function columnsOf(text: string): number {
  return stringWidth(text)
}
