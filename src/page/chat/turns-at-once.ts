// Decides how many turns of an opened thread are rendered in the first task. Pure.

import type { Turn } from '../state/chat/turn.ts'
import { CHARS_AT_ONCE, TURNS_AT_ONCE } from './limits.ts'

/**
 * The number of turns at the end that fill a screen. It is at least 1, because a long turn is not divided. The question with
 * `shownAt` messages before it is always among them, because the reader switched to another version of it.
 */
export function countTurnsAtOnce(turns: readonly Turn[], shownAt: number | null = null): number {
  if (shownAt !== null) {
    const index = turns.findIndex(({ question }) => question.peek().messagesBefore === shownAt)
    if (index >= 0) return Math.max(turns.length - index, countTurnsAtOnce(turns))
  }
  let chars = 0
  for (let count = 0; count < TURNS_AT_ONCE; count++) {
    const turn = turns.at(-count - 1)
    if (!turn || chars > CHARS_AT_ONCE) return count
    chars += countChars(turn)
  }
  return TURNS_AT_ONCE
}

function countChars({ question, run }: Turn): number {
  const texts = run.peek().items.flatMap((item) => ('text' in item ? [item.text] : []))
  return texts.reduce((chars, text) => chars + text.length, question.peek().text.length)
}
