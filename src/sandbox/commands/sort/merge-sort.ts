// A stable sort. It is asynchronous because the build makes loops of asynchronous functions yield to other work.

/** Number of items that are sorted at once, which takes about a millisecond. */
const RUN_ITEMS = 1_024

/** Returns the sorted items. Overwrites `items`. */
export async function mergeSort<T>(items: T[], compare: (one: T, other: T) => number): Promise<T[]> {
  let sorted = items
  for (let from = 0; from < sorted.length; from += RUN_ITEMS) {
    const run = sorted.slice(from, from + RUN_ITEMS).sort(compare)
    for (let index = 0; index < run.length; index++) sorted[from + index] = run[index] as T
  }
  let spare = Array.from<T>({ length: sorted.length })
  for (let width = RUN_ITEMS; width < sorted.length; width *= 2) {
    for (let from = 0; from < sorted.length; from += 2 * width) {
      const middle = Math.min(from + width, sorted.length)
      const end = Math.min(from + 2 * width, sorted.length)
      let left = from
      let right = middle
      for (let to = from; to < end; to++) {
        // The casts are safe: both indexes are within the array where they are used.
        const takeLeft =
          left < middle && (right >= end || compare(sorted[left] as T, sorted[right] as T) <= 0)
        spare[to] = sorted[takeLeft ? left++ : right++] as T
      }
    }
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}
