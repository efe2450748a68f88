// Computes statistics of durations. Pure.

export interface Figures {
  readonly rounds: number
  readonly median: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
}

/** The nearest-rank quantile of a sorted list; NaN of an empty one. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function figures(samples: readonly number[]): Figures {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    rounds: sorted.length,
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
  }
}
