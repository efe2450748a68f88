// Workspaces whose caps and limits a test decides, for hooks and schedules.

import type { Env } from '../../src/env/env.ts'
import { ok } from '../../src/lib/result.ts'
import type { BudgetMaximum, CapApi, CapState } from '../../src/workspace/cap-api.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'

export const RESETS_AT = '2031-04-01T00:00:00.000Z'

/** A cap of a workspace on dollars in a month, with what runs have spent of it. */
export function monthly(usd: number, spent: number): CapState {
  return {
    scope: 'workspace',
    window: 'month',
    resets_at: RESETS_AT,
    cap: { usd },
    spent: { usd: spent, tokens: 1_000_000, runs: 50 },
    leased: { usd: 0, tokens: 0, runs: 0 },
  }
}

export class CappedWorkspaces {
  caps: readonly CapState[] = []
  maxBudget: BudgetMaximum = {}
  isAway = false
  /** The key and user of each question. */
  readonly requested: (readonly [string | null, string | null])[] = []

  getByName(): Pick<CapApi, 'limits' | 'quota'> & Pick<WorkspaceApi, 'count'> {
    const none = { workspace: {}, key: {}, user: {}, users: {}, hook: {}, hooks: {}, thread: {} }
    const limits = { ...none, max_budget: { hook: this.maxBudget } }
    return {
      limits: async () => ok({ version: 1, limits, updated_at: null, updated_by: null }),
      quota: async (...who) => {
        this.requested.push(who)
        if (this.isAway) throw new Error('away')
        return ok(this.caps)
      },
      count: async () => ok(null),
    }
  }

  /** The cast is safe: hooks and schedules use only these methods. */
  get bindings(): Pick<Env, 'WORKSPACES'> {
    return { WORKSPACES: this as unknown as DurableObjectNamespace }
  }
}
