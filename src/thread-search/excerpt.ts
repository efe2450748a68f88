// Builds the excerpts shown for texts matched by a thread search. A text takes up to a millisecond, so the
// work yields between texts.

import type { Pace } from '../lib/steps.ts'
import type { FoundThread } from '../thread/api.ts'
import type { ThreadHit } from '../workspace/api.ts'
import { EXCERPT_AFTER_MAX_CHARS, EXCERPT_BEFORE_MAX_CHARS, EXCERPT_MICROSECONDS_PER_CHAR } from './limits.ts'
import { findMatch } from './terms.ts'

export async function withExcerpts(
  hits: readonly ThreadHit[],
  question: string,
  pace: Pace,
): Promise<readonly FoundThread[]> {
  const results: FoundThread[] = []
  for (const { text, ...info } of hits) {
    results.push({ ...info, match: text === null ? null : excerpt(text, question) })
    const pause = pace.countWork((text?.length ?? 0) * EXCERPT_MICROSECONDS_PER_CHAR)
    if (pause) await pause
  }
  return results
}

/** The first match and the text around it, on one line. */
function excerpt(text: string, question: string): NonNullable<FoundThread['match']> {
  const { from, to } = findMatch(text, question) ?? { from: 0, to: 0 }
  const before = Array.from(oneLine(text.slice(0, from)))
  const after = Array.from(oneLine(text.slice(to)))
  const [isBeforeCut, isAfterCut] = [
    before.length > EXCERPT_BEFORE_MAX_CHARS,
    after.length > EXCERPT_AFTER_MAX_CHARS,
  ]
  return {
    before: (isBeforeCut ? '…' : '') + before.slice(-EXCERPT_BEFORE_MAX_CHARS).join(''),
    hit: oneLine(text.slice(from, to)),
    after: after.slice(0, EXCERPT_AFTER_MAX_CHARS).join('') + (isAfterCut ? '…' : ''),
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ')
}
