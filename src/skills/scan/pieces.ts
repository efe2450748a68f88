// Cuts text into lines, and lines into pieces, so that no pattern ever meets more than a bounded stretch.

import { SCAN_OVERLAP_CHARS, SCAN_PIECE_CHARS } from '../../limits.ts'

/**
 * Calls `look` with each line in which `anchor` matches, whole when it is short, else the piece around the match.
 * `anchor` must be global; `look` answers false to stop. Linear in the text, whatever its lines are.
 */
export function eachPiece(
  text: string,
  anchor: RegExp,
  look: (piece: string, offset: number) => boolean,
): void {
  let lineStart = 0
  let lineEnd = -1
  anchor.lastIndex = 0
  for (let hit = anchor.exec(text); hit; hit = anchor.exec(text)) {
    const at = hit.index
    if (at > lineEnd) {
      lineStart = Math.max(text.lastIndexOf('\n', at), lineEnd) + 1
      const newline = text.indexOf('\n', at)
      lineEnd = newline < 0 ? text.length : newline
    }
    const from = Math.max(lineStart, at - SCAN_OVERLAP_CHARS)
    const to = Math.min(lineEnd, at + SCAN_PIECE_CHARS)
    if (!look(text.slice(from, to), from)) return
    // What begins near the end of a piece is seen whole in the next one.
    anchor.lastIndex = Math.max(to < lineEnd ? to - SCAN_OVERLAP_CHARS : to, at + 1)
  }
}

/** Calls `look` with each line, cut at the size of a piece. */
export function eachLine(text: string, look: (line: string, offset: number) => void): void {
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    look(text.slice(from, Math.min(end, from + SCAN_PIECE_CHARS)), from)
    from = end + 1
  }
}
