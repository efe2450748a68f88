// Joins a text that the output limit cut off with its continuations. Pure.

import type { Item } from './items.ts'

/** The items with each text that was cut off and its continuations as one text. */
export function joinContinued(items: readonly Item[]): readonly Item[] {
  if (!items.some((item) => item.kind === 'text' && item.continues)) return items
  const joined: Item[] = []
  for (const item of items) {
    const index = joined.findLastIndex(({ kind }) => kind !== 'thinking')
    const before = joined[index]
    if (item.kind === 'text' && item.continues && before?.kind === 'text')
      joined[index] = {
        ...before,
        text: before.text + item.text,
        codePoints: before.codePoints + item.codePoints,
        done: item.done,
      }
    else joined.push(item)
  }
  return joined
}
