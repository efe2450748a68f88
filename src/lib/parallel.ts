// Runs work on many items with limited concurrency.

/**
 * After the first failure no new items are started; once the running ones have ended, the failure is thrown.
 */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
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
  const workers = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, worker))
  for (const result of workers) if (result.status === 'rejected') throw result.reason
}
