// Looks for names in a text as a language reads it: in Unicode's compatibility form, where one letter may become eighteen.

import type { Steps } from '../../../../lib/steps.ts'
import { SCAN_OVERLAP_CHARS } from '../../../../limits/skills.ts'
import { SCAN_NORMAL_CHARS } from './limits.ts'

/** What `pattern` finds first in the NFKC form of `text`, or null. Holds a piece of that form at a time. */
export function* findNormal(text: string, pattern: RegExp): Steps<string | null> {
  for (let from = 0; from === 0 || from < text.length; from += SCAN_NORMAL_CHARS) {
    const isLast = from + SCAN_NORMAL_CHARS >= text.length
    // A piece begins before the end of the one in front of it: what lies across that end is whole in one of the two.
    const cut = text.slice(Math.max(0, from - SCAN_OVERLAP_CHARS), from + SCAN_NORMAL_CHARS)
    const piece = ASCII.test(cut) ? cut : cut.normalize('NFKC')
    yield piece.length * A_CHAR
    const each = new RegExp(pattern, 'g')
    for (let hit = each.exec(piece); hit; hit = each.exec(piece)) {
      const end = hit.index + hit[0].length
      // A word that was cut in two is another one.
      const isWhole = (from === 0 || hit.index > 0) && (isLast || end + AROUND < piece.length)
      if (isWhole) return hit[0]
      each.lastIndex = hit.index + 1
    }
  }
  return null
}

const ASCII = /^[\0-\x7F]*$/ // oxlint-disable-line no-control-regex
/** Patterns look at most this far beyond what they match. */
const AROUND = 64
const A_CHAR = 0.02
