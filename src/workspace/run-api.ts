// What a workspace knows about runs that have ended: what a thread reports, and what lists and sums show.

import type { Charged, Rating, RunStatus } from '../agent/events.ts'
import type { Usage } from '../agent/message.ts'
import type { DaySpend } from './cap-api.ts'

/** A skill that a run used. */
interface UsedSkill {
  readonly name: string
  readonly digest: string
}

/** A run that has ended, as its thread reports it. It is counted once. Times are epoch milliseconds. */
export interface RunRecord {
  readonly id: string
  /** What requested the run: the ID of a key, or `hook:` or `schedule:` with an ID. */
  readonly key: string
  /** The user who owns the thread. */
  readonly user: string | null
  readonly model: string
  readonly skills: readonly UsedSkill[]
  readonly status: RunStatus
  readonly stopReason: string | null
  readonly acceptedAt: number
  readonly startedAt: number | null
  /** When the model's first text arrived; null if it wrote none. */
  readonly firstTextAt: number | null
  readonly endedAt: number
  readonly waitedMs: number
  readonly steps: number
  readonly toolCalls: number
  readonly recoveries: number
  readonly interruptedWaits: number
  readonly usage: Usage
  readonly charged: Charged
  /** What it spent of its leases; absent if it had none. */
  readonly spent?: readonly DaySpend[]
  readonly rating: Rating['value'] | null
}

/** A run that has ended, as an admin sees it. If its thread was deleted, `thread_id` and `user` are null, and it has no skills. */
export interface RunInfo {
  readonly run_id: string
  readonly thread_id: string | null
  readonly key: string
  readonly user: string | null
  readonly model: string
  readonly skills: readonly UsedSkill[]
  readonly status: RunStatus
  readonly stop_reason: string | null
  readonly accepted_at: string
  readonly started_at: string | null
  readonly first_text_at: string | null
  readonly ended_at: string
  /** Seconds that it waited for people or other systems. */
  readonly waited_s: number
  readonly steps: number
  readonly tool_calls: number
  /** Crashes while it worked, and while it only waited for the model. */
  readonly recoveries: number
  readonly interrupted_waits: number
  readonly usage: Usage
  readonly charged: Charged
  readonly rating: Rating['value'] | null
}

/** Which runs are listed: those that match all fields. `hook` is the ID of a hook or schedule; `from` and `to` are UTC days. */
export interface RunFilter {
  readonly thread?: string
  readonly key?: string
  readonly user?: string
  readonly hook?: string
  readonly model?: string
  readonly skill?: string
  readonly status?: string
  readonly rating?: string
  readonly from?: string
  readonly to?: string
}

/** By what usage can be grouped, in addition to days. */
export type UsageDimension = 'key' | 'user' | 'model' | 'skill' | 'hook'

/** UTC days, inclusive; null for no bound. */
export interface UsageQuery {
  readonly from: string | null
  readonly to: string | null
  readonly daily: boolean
  readonly dimension: UsageDimension | null
}

/** Totals of runs. */
export interface UsageSums {
  readonly runs: number
  readonly failed: number
  readonly cancelled: number
  readonly steps: number
  readonly tool_calls: number
  readonly usage: Usage
  readonly charged: Charged
}

export interface UsageRow extends UsageSums {
  /** The UTC day; null if the usage is not grouped by day. */
  readonly day: string | null
  /** The key, user, model, skill, hook or schedule; null if the usage is only grouped by day. */
  readonly value: string | null
}

/** The usage of a workspace in a time. A run with several skills counts in full for each, so only the totals are exact. */
export interface UsageReport extends UsageSums {
  readonly from: string | null
  readonly to: string | null
  readonly by: string | null
  readonly data: readonly UsageRow[]
  /** True if there are more rows than `data` has. */
  readonly more: boolean
}
