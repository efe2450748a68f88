// The answer itself among what a run shows: what is copied. Pure.

import type { Item } from './items.ts'

/** The Markdown after the last step; where there is none, all that was said. '': nothing was. */
export function answerOf(items: readonly Item[]): string {
  const step = items.findLastIndex(({ kind }) => kind !== 'text' && kind !== 'note')
  return textIn(items.slice(step + 1)) || textIn(items)
}

function textIn(items: readonly Item[]): string {
  return items.flatMap((item) => (item.kind === 'text' ? item.text : [])).join('\n\n')
}
