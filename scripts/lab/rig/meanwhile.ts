// Samples something repeatedly while work runs: how long others wait, how much memory is used.

import { setTimeout as sleep } from 'node:timers/promises'

/** The samples until `work` is done, one after the other with a pause between. Rejects as the work does. */
export async function meanwhile<T, S>(
  work: Promise<T>,
  takeSample: () => S | Promise<S>,
  pauseMs = 0,
): Promise<{ readonly took: T; readonly seen: readonly S[] }> {
  const seen: S[] = []
  let isOver = false
  const done = work.finally(() => (isOver = true))
  // Awaited below: until then a failure must not count as unhandled.
  done.catch(() => undefined)
  while (!isOver) {
    seen.push(await takeSample())
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return { took: await done, seen }
}

/** The milliseconds that it took. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
