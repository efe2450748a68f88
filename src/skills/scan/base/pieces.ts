// Splits text into lines, and lines into pieces, so that every pattern runs on text of bounded length.

import { SCAN_OVERLAP_CHARS } from '../../../limits/skills.ts'
import { SCAN_PIECE_CHARS } from './limits.ts'

/** A piece of text and its offset. */
type Piece = readonly [piece: string, offset: number]

/**
 * Yields each short line in which `anchor` matches, and for a long line the piece around each match. Takes
 * linear time for any text.
 */
export function* matchedPieces(text: string, anchor: RegExp): Generator<Piece> {
  let lineStart = 0
  let lineEnd = -1
  // Matching a copy keeps `lastIndex` correct if the caller uses the same pattern between two pieces.
  const pattern = new RegExp(anchor, 'g')
  for (let hit = pattern.exec(text); hit; hit = pattern.exec(text)) {
    const hitOffset = hit.index
    if (hitOffset > lineEnd) {
      lineStart = Math.max(text.lastIndexOf('\n', hitOffset), lineEnd) + 1
      const newline = text.indexOf('\n', hitOffset)
      lineEnd = newline < 0 ? text.length : newline
    }
    const from = Math.max(lineStart, hitOffset - SCAN_OVERLAP_CHARS)
    const to = Math.min(lineEnd, hitOffset + SCAN_PIECE_CHARS)
    yield [text.slice(from, to), from]
    // Pieces overlap, so a match that is cut off at the end of one piece is complete in the next.
    pattern.lastIndex = Math.max(to < lineEnd ? to - SCAN_OVERLAP_CHARS : to, hitOffset + 1)
  }
}

/** Yields each complete line. Patterns with gaps must be run on its segments. */
export function* linesOf(text: string): Generator<Piece> {
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    yield [text.slice(from, end), from]
    from = end + 1
  }
}

/**
 * Splits a line into segments that overlap by half, so that a match shorter than that is complete in one of
 * them.
 */
export function* segmentsOf(line: string): Generator<string> {
  for (let from = 0; from === 0 || from + SCAN_PIECE_CHARS / 2 < line.length; from += SCAN_PIECE_CHARS / 2)
    yield line.slice(from, from + SCAN_PIECE_CHARS)
}
