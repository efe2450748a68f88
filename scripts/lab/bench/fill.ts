// What the benchmark workspace-scale asks its Worker (test/workers/scale-worker.ts) to do.

export interface Fill {
  /** Ranges of the runs and threads to add. */
  readonly runs: readonly [from: number, to: number]
  readonly threads: readonly [from: number, to: number]
  /** The total numbers of runs and threads. The runs ended at regular intervals over SCALE_DAYS before `now`. */
  readonly total: { readonly runs: number; readonly threads: number }
  readonly now: number
  /** Whether to add the sums of all runs. */
  readonly isLast: boolean
}

/** Which runs the Worker admits one after another, and whether they stay open. It answers with Admitted. */
export interface Admit {
  readonly runs: readonly [from: number, to: number]
  readonly stay: boolean
}

export interface Admitted {
  /** How long one admission took on average. */
  readonly eachMs: number
}

export const SCALE_DAYS = 90
