// How full the context window of a thread is. Pure.

import type { ThreadInfo } from '../../../thread/api.ts'

/** Percent of the window (in tokens), rounded; null if unknown. */
export function fullness(info: ThreadInfo | null, window: number | null | undefined): number | null {
  if (!info?.context_tokens || !window) return null
  return Math.min(100, Math.round((info.context_tokens / window) * 100))
}
