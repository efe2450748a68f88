// How full a thread's window is. Pure.

import type { ThreadInfo } from '../../../thread/api.ts'

/** In whole percent of the window (tokens); null: not known. */
export function fullness(info: ThreadInfo | null, window: number | null | undefined): number | null {
  if (!info?.context_tokens || !window) return null
  return Math.min(100, Math.round((info.context_tokens / window) * 100))
}
