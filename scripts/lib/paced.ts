// Limits how often progress is reported, because thousands of steps would print thousands of lines.

import { performance } from 'node:perf_hooks'

/**
 * Returns a function that calls `report` at most once per interval, and not during the first one. Drops all other calls.
 */
export function throttled<A extends readonly unknown[]>(
  intervalMs: number,
  report: (...args: A) => void,
): (...args: A) => void {
  let reportedMs = performance.now()
  return (...args) => {
    const now = performance.now()
    if (now - reportedMs < intervalMs) return
    reportedMs = now
    report(...args)
  }
}
