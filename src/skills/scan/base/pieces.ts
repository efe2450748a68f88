// Cuts text into lines, and lines into pieces, so that no pattern ever meets more than a bounded stretch.

import { SCAN_OVERLAP_CHARS } from '../../../limits/skills.ts'
import { SCAN_PIECE_CHARS } from './limits.ts'

/** A stretch of text, and where it begins. */
type Piece = readonly [piece: string, offset: number]

/**
 * Each line in which `anchor` matches, whole when it is short, else the piece around the match. Linear in the text, whatever
 * its lines are.
 */
export function* piecesOf(text: string, anchor: RegExp): Generator<Piece> {
  let lineStart = 0
  let lineEnd = -1
  // One of its own: others may look through their texts between two pieces.
  const own = new RegExp(anchor, 'g')
  for (let hit = own.exec(text); hit; hit = own.exec(text)) {
    const at = hit.index
    if (at > lineEnd) {
      lineStart = Math.max(text.lastIndexOf('\n', at), lineEnd) + 1
      const newline = text.indexOf('\n', at)
      lineEnd = newline < 0 ? text.length : newline
    }
    const from = Math.max(lineStart, at - SCAN_OVERLAP_CHARS)
    const to = Math.min(lineEnd, at + SCAN_PIECE_CHARS)
    yield [text.slice(from, to), from]
    // What begins near the end of a piece is seen whole in the next one.
    own.lastIndex = Math.max(to < lineEnd ? to - SCAN_OVERLAP_CHARS : to, at + 1)
  }
}

/** Each line, whole: whoever tries patterns with gaps in them takes its stretches. */
export function* linesOf(text: string): Generator<Piece> {
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    yield [text.slice(from, end), from]
    from = end + 1
  }
}

/** A line to its end, in stretches that overlap by half: what is no longer than that stands whole in one of them. */
export function* stretchesOf(line: string): Generator<string> {
  for (let from = 0; from === 0 || from + SCAN_PIECE_CHARS / 2 < line.length; from += SCAN_PIECE_CHARS / 2)
    yield line.slice(from, from + SCAN_PIECE_CHARS)
}
