// What others report to a workspace for its metrics.

import type { Counts } from '../lib/counted-series.ts'

/** What an object, or an isolate of the HTTP layer, has counted since its last report. */
export interface CountReport {
  readonly counts: Counts
  /** How many deliveries of this hook or schedule, or events of this endpoint, wait now. */
  readonly waiting?: { readonly kind: DeliveryKind; readonly source: string; readonly count: number }
}

export type DeliveryKind = 'hook' | 'schedule' | 'event'
