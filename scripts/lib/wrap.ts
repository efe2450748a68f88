// Text in the columns of a terminal: words wrapped and lines cut by display width, colours kept whole. Knows no terminal.

import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

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

/** One line cut to `width` columns, with a mark where something is missing. `text` has no styles. */
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

/** `text` with blanks up to `width` columns, before it where it stands on the right. */
export function padded(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? `${blanks}${text}` : `${text}${blanks}`
}

export function columnsOf(text: string): number {
  return stringWidth(text)
}
