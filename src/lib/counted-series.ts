// Counts of series of metrics, collected in memory until they are reported.

/** What is added to series. The key is a JSON list: the name of a metric, and the values of its labels. */
export type Counts = ReadonlyMap<string, number>

export function seriesOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

export class CountedSeries {
  readonly #counts = new Map<string, number>()

  add(value: number, ...parts: readonly string[]): void {
    this.addAll(new Map([[seriesOf(...parts), value]]))
  }

  addAll(counts: Counts): void {
    for (const [series, value] of counts) this.#counts.set(series, (this.#counts.get(series) ?? 0) + value)
  }

  /** All counts since the last call. */
  take(): Counts {
    const counts = new Map(this.#counts)
    this.#counts.clear()
    return counts
  }
}
