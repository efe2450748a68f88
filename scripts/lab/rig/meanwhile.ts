// Samples something repeatedly while work runs, such as the waiting time of others or the used memory.

import { setTimeout as sleep } from 'node:timers/promises'

/** Samples in sequence, with a pause between samples, until `work` is done. Rejects if the work does. */
export async function meanwhile<T, S>(
  work: Promise<T>,
  takeSample: () => S | Promise<S>,
  pauseMs = 0,
): Promise<{ readonly took: T; readonly seen: readonly S[] }> {
  const seen: S[] = []
  let isOver = false
  const done = work.finally(() => (isOver = true))
  // It is awaited below. Until then, a failure must not count as unhandled.
  done.catch(() => undefined)
  while (!isOver) {
    seen.push(await takeSample())
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return { took: await done, seen }
}

/** The duration of the work in ms. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
