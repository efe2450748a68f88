// Looking again and again while some work goes on: how long others wait, how much memory there is.

import { setTimeout as sleep } from 'node:timers/promises'

/** What each look saw until `work` was done, one after the other with a pause before the next. Rejects as the work does. */
export async function meanwhile<T, S>(
  work: Promise<T>,
  look: () => S | Promise<S>,
  pauseMs = 0,
): Promise<{ readonly took: T; readonly seen: readonly S[] }> {
  const seen: S[] = []
  let over = false
  const done = work.finally(() => (over = true))
  // It is awaited below: until then nobody else hears of a failure.
  done.catch(() => undefined)
  while (!over) {
    seen.push(await look())
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return { took: await done, seen }
}

/** The milliseconds that it took. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
