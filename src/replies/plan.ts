// What a run needs to reply where its question came from: the hook's template, and the values of the delivery.

import type { ReplyTemplate, ReplyValues } from './template.ts'

export interface ReplyPlan {
  readonly template: ReplyTemplate
  readonly values: ReplyValues
  /** The hook's invisible mark (marker.ts). */
  readonly mark: string
  /** Where the outcome is shown. */
  readonly delivery: { readonly hook: string; readonly id: string }
}

/** What became of a reply. */
export interface ReplyOutcome {
  readonly state: 'sent' | 'failed' | 'unknown'
  readonly detail: string | null
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * `waiting`: not made yet. `sending`: made, without a result so far. `unknown`: interrupted after it was made, so nobody
 * knows whether it arrived.
 */
export type ReplyState = 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown'
