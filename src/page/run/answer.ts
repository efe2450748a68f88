// Extracts the text of the answer from a run, for copying. Pure.

import type { Item } from './items.ts'
import { joinContinued } from './joined-text.ts'

/** The Markdown after the last step. If there is no text after it, all text of the run, which may be ''. */
export function answerOf(items: readonly Item[]): string {
  const joined = joinContinued(items)
  const step = joined.findLastIndex(({ kind }) => kind !== 'text' && kind !== 'note')
  return textIn(joined.slice(step + 1)) || textIn(joined)
}

function textIn(items: readonly Item[]): string {
  return items.flatMap((item) => (item.kind === 'text' ? item.text : [])).join('\n\n')
}
