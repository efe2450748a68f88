// Processes many items with limited concurrency.

import { inParallel } from '../../src/lib/parallel.ts'

/** The results in the order of the items. Rejects with the first rejection. */
export async function mapBounded<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  await inParallel([...items.entries()], atOnce, async ([at, item]) => {
    results[at] = await work(item)
  })
  return results
}
