// Finds the lines of one file that match a pattern. Tests chunks of whole lines first, because most contain no match.

import { GREP_LINE_MAX_CHARS, GREP_CHUNK_BYTES } from './limits.ts'
import { cutText } from '../../lib/text.ts'
import type { Pattern } from './pattern.ts'

export interface Match {
  /** The line number, starting at 1. */
  readonly line: number
  /** The line or, if it is long, the part around the match. */
  readonly text: string
}

const LINE_FEED = 10
/** How many characters before the match are shown if the line is long. */
const CHARS_BEFORE_MATCH = 60

/**
 * Yields each matching line, and null after each chunk. Returns how many lines were too long to be searched completely.
 */
export function* matchingLines(bytes: Uint8Array, pattern: Pattern): Generator<Match | null, number, void> {
  // The decoder removes a byte order mark and replaces invalid UTF-8 with U+FFFD.
  const decoder = new TextDecoder()
  let line = 1
  let countedTo = 0
  let longLines = 0
  for (let offset = 0; offset < bytes.length;) {
    const { end, next } = chunkAt(bytes, offset)
    if (next - offset > GREP_CHUNK_BYTES) longLines += 1
    const text = stripCarriageReturns(decoder.decode(bytes.subarray(offset, end)))
    if (pattern.needsSingleLines || pattern.test(text)) {
      line += countLineFeeds(bytes, countedTo, offset)
      countedTo = offset
      for (const [lineOffset, lineText] of text.split('\n').entries())
        if (pattern.test(lineText)) yield { line: line + lineOffset, text: excerptOf(lineText, pattern) }
    }
    offset = next
    yield null
  }
  return longLines
}

/**
 * The chunk that starts at this index: complete lines without the last line feed, or the beginning of a line that is
 * longer than a chunk. `next` is where the following chunk starts.
 */
function chunkAt(bytes: Uint8Array, offset: number): { readonly end: number; readonly next: number } {
  const limit = offset + GREP_CHUNK_BYTES
  if (limit < bytes.length) {
    const lastLineFeed = bytes.subarray(offset, limit).lastIndexOf(LINE_FEED)
    if (lastLineFeed !== -1) return { end: offset + lastLineFeed, next: offset + lastLineFeed + 1 }
    const lineFeed = bytes.indexOf(LINE_FEED, limit)
    return { end: limit, next: lineFeed === -1 ? bytes.length : lineFeed + 1 }
  }
  const endsInLineFeed = bytes.at(-1) === LINE_FEED
  return { end: bytes.length - (endsInLineFeed ? 1 : 0), next: bytes.length }
}

function stripCarriageReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?=\n|$)/g, '') : text
}

function countLineFeeds(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let offset = from; offset < to; offset++) if (bytes[offset] === LINE_FEED) count += 1
  return count
}

function excerptOf(line: string, pattern: Pattern): string {
  if (line.length <= GREP_LINE_MAX_CHARS) return line
  const from = Math.max(0, pattern.firstMatchIndex(line) - CHARS_BEFORE_MATCH)
  return `${from > 0 ? '…' : ''}${cutText(line.slice(from), GREP_LINE_MAX_CHARS)}`
}
