// Who is notified of a run's end, as its request or hook says. Stored with the run.

import type { Callback } from '../callbacks/api.ts'
import type { ReplyPlan } from '../replies/plan.ts'

export interface RunReports {
  readonly callback?: Callback
  /** How the run replies where its question came from. */
  readonly reply?: ReplyPlan
}
