// The lines of one file that match a pattern. Searches the text in chunks of whole lines, most of which contain no
// match.

import { GREP_LINE_CHARS, GREP_PIECE_BYTES } from './limits.ts'
import { cutText } from '../../lib/text.ts'
import type { Pattern } from './pattern.ts'

export interface Match {
  /** From 1. */
  readonly line: number
  /** The line; of a long line the part around the match. */
  readonly text: string
}

const LINE_FEED = 10
/** Characters of a long line before its match. */
const BEFORE = 60

/**
 * Yields each matching line, and null after each piece. Returns the number of lines that were not searched to their
 * end.
 */
export function* matchingLines(bytes: Uint8Array, pattern: Pattern): Generator<Match | null, number, void> {
  // Also removes a byte order mark. Invalid UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder()
  let line = 1
  let counted = 0
  let long = 0
  for (let at = 0; at < bytes.length;) {
    const { end, next } = pieceAt(bytes, at)
    if (next - at > GREP_PIECE_BYTES) long += 1
    const text = withoutReturns(decoder.decode(bytes.subarray(at, end)))
    if (pattern.byLine || pattern.test(text)) {
      line += toLineFeeds(bytes, counted, at)
      counted = at
      for (const [below, one] of text.split('\n').entries())
        if (pattern.test(one)) yield { line: line + below, text: shown(one, pattern) }
    }
    at = next
    yield null
  }
  return long
}

/** Whole lines, without the end of the last; of a line longer than a piece its beginning. */
function pieceAt(bytes: Uint8Array, at: number): { readonly end: number; readonly next: number } {
  const limit = at + GREP_PIECE_BYTES
  if (limit < bytes.length) {
    const last = bytes.subarray(at, limit).lastIndexOf(LINE_FEED)
    if (last !== -1) return { end: at + last, next: at + last + 1 }
    const feed = bytes.indexOf(LINE_FEED, limit)
    return { end: limit, next: feed === -1 ? bytes.length : feed + 1 }
  }
  const closed = bytes.at(-1) === LINE_FEED
  return { end: bytes.length - (closed ? 1 : 0), next: bytes.length }
}

function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?=\n|$)/g, '') : text
}

function toLineFeeds(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === LINE_FEED) count += 1
  return count
}

function shown(line: string, pattern: Pattern): string {
  if (line.length <= GREP_LINE_CHARS) return line
  const from = Math.max(0, pattern.start(line) - BEFORE)
  return `${from > 0 ? '…' : ''}${cutText(line.slice(from), GREP_LINE_CHARS)}`
}
