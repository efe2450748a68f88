// What the bench part workspace-scale asks its Worker (test/workers/scale-worker.ts) to add.

export interface Fill {
  /** Numbers of runs and threads. */
  readonly runs: readonly [from: number, to: number]
  readonly threads: readonly [from: number, to: number]
  /** All runs and threads; they ended evenly over SCALE_DAYS before `now`. */
  readonly total: { readonly runs: number; readonly threads: number }
  readonly now: number
  /** Whether to add the sums of all runs. */
  readonly isLast: boolean
}

export const SCALE_DAYS = 90
