// Limits progress messages: thousands of steps would print thousands of lines.

import { performance } from 'node:perf_hooks'

/** Calls `say` at most once in `ms` milliseconds, the first time after that interval; drops the other calls. */
export function paced<A extends readonly unknown[]>(
  ms: number,
  say: (...args: A) => void,
): (...args: A) => void {
  let lastMs = performance.now()
  return (...args) => {
    const now = performance.now()
    if (now - lastMs < ms) return
    lastMs = now
    say(...args)
  }
}
