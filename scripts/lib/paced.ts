// Lets only so many words through: thousands of steps would be thousands of lines.

import { performance } from 'node:perf_hooks'

/** Calls `say` at most once in `ms` milliseconds, and not before the first are over; the other calls are lost. */
export function paced<A extends readonly unknown[]>(
  ms: number,
  say: (...args: A) => void,
): (...args: A) => void {
  let said = performance.now()
  return (...args) => {
    const now = performance.now()
    if (now - said < ms) return
    said = now
    say(...args)
  }
}
