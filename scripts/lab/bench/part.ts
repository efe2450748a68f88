// What a part of the bench answers: lines of the table, and the figures behind them.

import type { Line } from './table.ts'

export interface Measured {
  readonly lines: readonly Line[]
  readonly figures: unknown
}

/** Says how far it is. */
export type Tell = (text: string) => void
