// Splits text into lines, and lines into pieces, so that every pattern runs on a bounded text.

import { SCAN_OVERLAP_CHARS } from '../../../limits/skills.ts'
import { SCAN_PIECE_CHARS } from './limits.ts'

/** A piece of text and its offset. */
type Piece = readonly [piece: string, offset: number]

/**
 * Each line in which `anchor` matches, whole when it is short, otherwise the piece around the match. Linear time for
 * any text.
 */
export function* piecesOf(text: string, anchor: RegExp): Generator<Piece> {
  let lineStart = 0
  let lineEnd = -1
  // A copy, because others may use the pattern between two pieces.
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
    // A match near the end of a piece is whole in the next one.
    own.lastIndex = Math.max(to < lineEnd ? to - SCAN_OVERLAP_CHARS : to, at + 1)
  }
}

/** Each line, whole. Patterns with gaps run on its stretches. */
export function* linesOf(text: string): Generator<Piece> {
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    yield [text.slice(from, end), from]
    from = end + 1
  }
}

/** A line in stretches that overlap by half: a shorter match is whole in one of them. */
export function* stretchesOf(line: string): Generator<string> {
  for (let from = 0; from === 0 || from + SCAN_PIECE_CHARS / 2 < line.length; from += SCAN_PIECE_CHARS / 2)
    yield line.slice(from, from + SCAN_PIECE_CHARS)
}
