// Computes how full the context window of a thread is. Pure.

import type { ThreadInfo } from '../../../thread/api.ts'

/** The used part of the window in percent, rounded; null if unknown. `window`: its size in tokens. */
export function contextPercent(
  info: Pick<ThreadInfo, 'context_tokens'> | null,
  window: number | null | undefined,
): number | null {
  if (!info?.context_tokens || !window) return null
  return Math.min(100, Math.round((info.context_tokens / window) * 100))
}
