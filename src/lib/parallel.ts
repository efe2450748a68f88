// Bounded concurrency: some work on each of many things, so many at a time.

/** Stops taking new items at the first failure, which it throws after the running ones have ended. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let failed = false
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane))
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}
