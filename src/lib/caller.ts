// The caller of a request. It is derived only from the credential, never from the path, the body or another
// header.

import type { MaxBudget } from './max-budget.ts'

/** `metrics` may read the metrics and nothing else; each of the others may do what the one before it may. */
export type KeyRole = 'metrics' | 'chat' | 'publisher' | 'admin'

/**
 * The tools that a key allows its runs: names or groups. If `allow` is null, all tools except those in `deny`
 * are allowed.
 */
export interface KeyTools {
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
}

/** A call that runs of a hook may make without an approval. */
export interface AllowedCall {
  readonly tool: string
  /** Required input values, by JSON pointer. */
  readonly fields: Readonly<Record<string, unknown>>
  /** JSON pointers of fields that may have any value. All other fields are forbidden. */
  readonly free: readonly string[]
}

export interface Caller {
  readonly workspace: string
  readonly keyId: string
  readonly role: KeyRole
  readonly user: string | null
  /** If absent, all tools are allowed. */
  readonly tools?: KeyTools
  /** The only models that its runs may use; if absent, all of them. */
  readonly models?: readonly string[]
  /** The maximum budget that one of its runs may request; if absent, the maximum of any run. */
  readonly maxBudget?: MaxBudget
  /** Set only for hooks. */
  readonly allowedCalls?: readonly AllowedCall[]
}

const ROLE_RANK: Readonly<Record<KeyRole, number>> = { metrics: 0, chat: 1, publisher: 2, admin: 3 }

export function mayActAs(caller: Caller, role: KeyRole): boolean {
  if (role === 'metrics') return caller.role === 'metrics' || caller.role === 'admin'
  return ROLE_RANK[caller.role] >= ROLE_RANK[role]
}
