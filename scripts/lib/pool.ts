// Processes many items with limited concurrency.

import { inParallel } from '../../src/lib/parallel.ts'

/** The results in the order of the items. Rejects with the first rejection. */
export async function mapBounded<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  await inParallel([...items.entries()], concurrency, async ([index, item]) => {
    results[index] = await work(item)
  })
  return results
}
