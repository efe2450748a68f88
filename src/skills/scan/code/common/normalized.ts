// Searches a text in Unicode's compatibility form (NFKC), because that is how Python reads identifiers.
// Normalizing may turn one character into eighteen.

import type { Steps } from '../../../../lib/steps.ts'
import { SCAN_OVERLAP_CHARS } from '../../../../limits/skills.ts'
import { SCAN_NORMALIZED_PIECE_CHARS } from './limits.ts'

/**
 * The first match of `pattern` in the NFKC form of `text`, or null. Keeps only one piece of that form in
 * memory.
 */
export function* findNormalized(text: string, pattern: RegExp): Steps<string | null> {
  for (let from = 0; from === 0 || from < text.length; from += SCAN_NORMALIZED_PIECE_CHARS) {
    const isLast = from + SCAN_NORMALIZED_PIECE_CHARS >= text.length
    // Pieces overlap, so a match across the end of one piece is complete in the next.
    const source = text.slice(Math.max(0, from - SCAN_OVERLAP_CHARS), from + SCAN_NORMALIZED_PIECE_CHARS)
    const piece = ASCII.test(source) ? source : source.normalize('NFKC')
    yield piece.length * CHAR_US
    const matcher = new RegExp(pattern, 'g')
    for (let hit = matcher.exec(piece); hit; hit = matcher.exec(piece)) {
      const end = hit.index + hit[0].length
      // Where a piece cuts a word in two, its parts may look like other words.
      const isWhole = (from === 0 || hit.index > 0) && (isLast || end + CONTEXT_CHARS < piece.length)
      if (isWhole) return hit[0]
      matcher.lastIndex = hit.index + 1
    }
  }
  return null
}

const ASCII = /^[\0-\x7F]*$/ // oxlint-disable-line no-control-regex -- ASCII contains them
/** How many characters after a match a pattern may look at. */
const CONTEXT_CHARS = 64
const CHAR_US = 0.02
