// Wraps and truncates text by display width, with styles intact. Does not know the terminal.

import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** Narrower windows are treated as this wide. */
const MIN_COLUMNS = 16

/** Lines of at most `width` columns, broken between words; a longer word is broken within. Never empty. */
export function wrapped(text: string, width: number): readonly string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split('\n')
}

/** The same with `first` before the first line and as many blanks, or `rest`, before the others. */
export function hanging(
  text: string,
  width: number,
  first: string,
  rest = ' '.repeat(stringWidth(first)),
): readonly string[] {
  const inner = width - Math.max(stringWidth(first), stringWidth(rest))
  return wrapped(text, inner).map((line, at) => `${at === 0 ? first : rest}${line}`)
}

/**
 * Untrusted text, complete: every row begins with `bar`, even in a terminal that draws characters wider than it
 * should. Breaks at a nearby blank, drops nothing.
 */
export function wrapWithBar(text: string, width: number, bar: string): readonly string[] {
  const inner = Math.max(MIN_COLUMNS, width - bar.length)
  return text.split('\n').flatMap((line) => {
    const rows: string[] = []
    let row = ''
    let columns = 0
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      const wide = columnsAtMost(segment)
      if (columns + wide > inner && row !== '') {
        const blank = row.lastIndexOf(' ') + 1
        const end = blank > row.length / 2 ? blank : row.length
        rows.push(row.slice(0, end))
        row = row.slice(end)
        columns = columnsAtMost(row)
      }
      row += segment
      columns += wide
    }
    return [...rows, row].map((one) => bar + one)
  })
}

/** Terminals differ in the width of emoji, East Asian letters and marks; none draws a character wider than this. */
function columnsAtMost(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (char === '\t' ? 8 : /[ -~]/.test(char) ? 1 : 2), 0)
}

/** One line truncated to `width` columns, with a mark if something is missing. `text` has no styles. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let cut = ''
  let columns = 1 // the mark's
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += stringWidth(segment)
    if (columns > width) break
    cut += segment
  }
  return `${cut}…`
}

/** `text` padded with blanks to `width` columns, on the left if `right` is set. */
export function padded(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? `${blanks}${text}` : `${text}${blanks}`
}

export function columnsOf(text: string): number {
  return stringWidth(text)
}
