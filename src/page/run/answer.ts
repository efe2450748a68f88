// Extracts the text of the answer from a run, for copying. Pure.

import type { Item } from './items.ts'

/** The Markdown after the last step. If there is no text after it, all text of the run, which may be ''. */
export function answerOf(items: readonly Item[]): string {
  const step = items.findLastIndex(({ kind }) => kind !== 'text' && kind !== 'note')
  return textIn(items.slice(step + 1)) || textIn(items)
}

function textIn(items: readonly Item[]): string {
  return items.flatMap((item) => (item.kind === 'text' ? item.text : [])).join('\n\n')
}
