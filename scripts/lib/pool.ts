// Processes many items with a limited concurrency, and collects the results.

import { inParallel } from '../../src/lib/parallel.ts'

/** The results in the order of the items. The first rejection rejects the whole. */
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
