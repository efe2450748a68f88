// What the runs of a thread were charged: only settled amounts, without reservations for calls in progress.

import type { Charged } from '../../agent/events.ts'
import type { RunRecord } from '../../workspace/api.ts'
import type { Run } from './run.ts'

export function chargedOf(run: Run): Charged {
  return { tokens: run.usedTokens, usd: run.usedUsd, estimated: run.estimated }
}

/** What the workspace stores about a run. */
export function recordOf(run: Run): RunRecord {
  return { id: run.id, usage: run.usage, charged: chargedOf(run) }
}

/** The sum over all runs of the thread. */
export function chargedTotal(sql: SqlStorage): Charged {
  const { tokens, usd, estimated } = sql
    .exec<{ tokens: number; usd: number; estimated: number }>(
      `SELECT coalesce(sum(used_tokens), 0) AS tokens, coalesce(sum(used_usd), 0) AS usd,
         coalesce(max(estimated), 0) AS estimated FROM runs`,
    )
    .one()
  return { tokens, usd, estimated: estimated === 1 }
}
