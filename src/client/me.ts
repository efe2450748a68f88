// Asks the API who the owner of the client's key is.

import { ok, type Result } from '../lib/result.ts'
import type { KeyRole } from '../lib/caller.ts'
import type { BudgetMaximum } from '../workspace/cap-api.ts'
import type { CapLeft } from './cap-text.ts'
import type { Client } from './client.ts'
import type { ClientFailure } from './types.ts'

/** The owner of a key, from GET /v1/me. */
export interface Me {
  readonly workspace: string
  readonly role: KeyRole
  readonly user: string | null
  readonly key: {
    readonly id: string
    readonly note: string | null
    /** Null if all models are allowed. */
    readonly models: readonly string[] | null
    readonly expires_at: string | null
    /** The maximum budget that one of its runs may request; null if it is not limited. */
    readonly max_budget: BudgetMaximum | null
  }
  readonly caps: readonly CapLeft[]
}

export async function readMe(client: Client): Promise<Result<Me, ClientFailure>> {
  const answer = await client.json<Me>('GET', '/v1/me')
  return answer.ok ? ok(answer.value.body) : answer
}
