// A key as the Workspace object shows, changes and verifies it.

import type { KeyRole, KeyTools } from '../lib/caller.ts'
import type { BudgetMaximum, Caps } from './cap-api.ts'

/** A key as it is shown: without its secret. */
export interface KeyInfo {
  readonly id: string
  readonly role: KeyRole
  readonly user: string | null
  readonly note: string | null
  /** Tools that the key allows its runs; null means all. */
  readonly tools: KeyTools | null
  /** Models that the key allows its runs; null means all. */
  readonly models: readonly string[] | null
  /** What its runs may spend; null means the workspace's default for keys. */
  readonly caps: Caps | null
  /** The most that one of its runs may ask for; null means the workspace's maximum for its role. */
  readonly max_budget: BudgetMaximum | null
  readonly state: KeyState
  readonly created_at: string
  readonly expires_at: string | null
  /** The hour in which the key was last used. */
  readonly last_used_at: string | null
  /** When its secret was last replaced, and until when the old one is also valid. */
  readonly rotated_at: string | null
  readonly previous_secret_until: string | null
  readonly revoked_at: string | null
}

export type KeyState = 'active' | 'expired' | 'revoked'

/** What an admin may change of a key; what is absent stays. */
export interface KeyChange {
  readonly note?: string | null | undefined
  /** Each list by itself; null allows all tools. */
  readonly tools?: { readonly [L in keyof KeyTools]?: KeyTools[L] | undefined } | null | undefined
  readonly models?: readonly string[] | null | undefined
  readonly expires_at?: string | null | undefined
  /** Replaces all of them, like `max_budget`. */
  readonly caps?: Caps | null | undefined
  readonly max_budget?: BudgetMaximum | null | undefined
}

/** What a verified key may do, and when it must be verified again at the latest (epoch milliseconds; null if never). */
export interface VerifiedKey extends Pick<KeyInfo, 'role' | 'user' | 'tools' | 'models'> {
  readonly until: number | null
  /** The most that one of its runs may ask for: its own maximum, or that of its role; null if there is none. */
  readonly max_budget: BudgetMaximum | null
}
