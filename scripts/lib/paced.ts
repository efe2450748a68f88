// Limits how often progress is reported, because thousands of steps would print thousands of lines.

import { performance } from 'node:perf_hooks'

/**
 * Returns a function that calls `say` at most every `ms` milliseconds, first after that time, and drops other calls.
 */
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
