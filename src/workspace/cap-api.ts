// Caps: what the runs of a workspace may spend in a UTC day or month, and the leases from which they spend it.

import type { Result } from '../lib/result.ts'
import type { Page, RunBudget } from '../thread/api.ts'

/** What may be spent in a window; what is absent has no cap. */
export interface CapAmounts {
  readonly usd?: number
  readonly tokens?: number
  readonly runs?: number
}

/** By UTC day and by UTC month. */
export interface Caps {
  readonly day?: CapAmounts
  readonly month?: CapAmounts
}

/** The most that one run may ask for; what is absent is limited by the API alone. */
export type BudgetMaximum = Partial<RunBudget>

/** What admins limit. Everything is empty at first. */
export interface WorkspaceLimits {
  /** All runs together. */
  readonly workspace: Caps
  /** Each key without caps of its own. */
  readonly key: Caps
  /** Each user who is not in `users`. */
  readonly user: Caps
  readonly users: Readonly<Record<string, Caps>>
  /** Each hook and schedule whose ID is not in `hooks`. */
  readonly hook: Caps
  readonly hooks: Readonly<Record<string, Caps>>
  /** Each thread, over its life. */
  readonly thread: ThreadCap
  /** What one run may ask for, by the role of its key, or `hook` for hooks and schedules. */
  readonly max_budget: Readonly<Partial<Record<'chat' | 'publisher' | 'admin' | 'hook', BudgetMaximum>>>
}

export type ThreadCap = Pick<CapAmounts, 'usd' | 'tokens'>

/** A JSON merge patch (RFC 7396) of sections and names. The value of a name is replaced completely. */
export type LimitsPatch = {
  readonly [S in keyof WorkspaceLimits]?:
    | { readonly [N in keyof WorkspaceLimits[S]]?: WorkspaceLimits[S][N] | null }
    | null
}

/** The newest version. Its number is 0 if the limits were never changed. */
export interface StoredLimits {
  readonly version: number
  readonly limits: WorkspaceLimits
  readonly updated_at: string | null
  readonly updated_by: string | null
}

export interface LimitsVersion {
  readonly version: number
  readonly at: string
  readonly author: string
  /** The change. A value of null removes. The empty name in `users` stands for users who were deleted, with their caps. */
  readonly change: LimitsPatch
}

export interface LimitsChange {
  readonly author: string
  readonly patch: LimitsPatch
  /** The version that must be the current version, or undefined if the change applies to any version. */
  readonly expectedVersion: number | undefined
}

/** Micro-dollars and tokens. */
export interface Spend {
  readonly micro: number
  readonly tokens: number
}

/** What a run wants to spend on a UTC day: totals of the day, not differences. */
export interface LeaseWish {
  /** The user who owns the thread. */
  readonly user: string | null
  readonly day: string
  /** The number of this request of the run. An older one changes nothing. */
  readonly number: number
  /** Below this, the run cannot make its next call. */
  readonly need: Spend
  /** More than this its budget does not allow. */
  readonly most: Spend
  /** What it spent of its leases of earlier days. */
  readonly spent: readonly DaySpend[]
}

/** What a run may spend on a UTC day within LEASE_MS; null for what no cap limits. It is on disk before it is answered. */
export interface Lease {
  readonly day: string
  readonly number: number
  readonly micro: number | null
  readonly tokens: number | null
  /** The cap that allows no more, for people; null if there is more. */
  readonly reached: string | null
  readonly thread: ThreadCap
  /** Warnings about caps that are nearly reached since this lease, for the run's events. */
  readonly warnings: readonly string[]
  /** The endpoints that receive these warnings; absent if there are none. */
  readonly listeners?: readonly string[]
}

/** What a run spent on a UTC day. */
export interface DaySpend extends Spend {
  readonly day: string
  /** The number of its lease. */
  readonly number: number
}

/** A cap, and what is left of it now. */
export interface CapState {
  /** Such as `workspace`, `key:…`, `user:…`, or `hook:…` and `schedule:…`. */
  readonly scope: string
  readonly window: 'day' | 'month'
  /** When the next window begins (RFC 3339). */
  readonly resets_at: string
  readonly cap: CapAmounts
  /** What runs that have ended spent, and open runs have counted so far. */
  readonly spent: Required<CapAmounts>
  /** What open runs may spend in addition. */
  readonly leased: Required<CapAmounts>
}

export interface CapApi {
  /** Writes nothing, even if the object has no tables yet. */
  limits(): Promise<Result<StoredLimits>>
  /** As changeSettings() does for settings. `patch` matches LimitsPatchSchema. */
  changeLimits(change: LimitsChange): Promise<Result<StoredLimits>>
  /** Lists the versions that are kept, newest first. */
  limitsHistory(cursor: string | null, limit: number): Promise<Result<Page<LimitsVersion>>>
  /**
   * The caps of the workspace, and of a key (also `hook:…`, `schedule:…`) and a user, unless they are null. Writes nothing.
   */
  quota(key: string | null, user: string | null): Promise<Result<readonly CapState[]>>
  /**
   * Asks for more, or for a later day. Never less than before; null if no cap applies. Fails with `quota_exceeded` only if the run
   * is recorded already.
   */
  lease(threadId: string, runId: string, key: string, wish: LeaseWish): Promise<Result<Lease | null>>
}
