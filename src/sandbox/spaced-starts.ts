// Spaces the starts of isolates. On a local server all isolates and all chats share one thread, and a start blocks it.

import { ISOLATE_START_SPACING_MS } from './limits.ts'

/**
 * Returns a function that resolves when the next isolate may start. The first start after a pause does not wait. `now` and `wait` are
 * in milliseconds.
 */
export function spacedStarts(now: () => number, wait: (ms: number) => Promise<void>): () => Promise<void> {
  let nextStartAt = 0
  return async () => {
    const startedAt = now()
    const startAt = Math.max(startedAt, nextStartAt)
    nextStartAt = startAt + ISOLATE_START_SPACING_MS
    if (startAt > startedAt) await wait(startAt - startedAt)
  }
}
