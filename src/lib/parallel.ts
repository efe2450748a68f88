// Runs work on many items with limited concurrency.

/**
 * Runs `work` on each item, `concurrency` items at a time. After a failure no new items are started, and the error is thrown
 * once the work in progress has ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values()
  let failed = false
  const worker = async (): Promise<void> => {
    for (const item of remaining) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, items.length) }, worker),
  )
  for (const result of workers) if (result.status === 'rejected') throw result.reason
}
