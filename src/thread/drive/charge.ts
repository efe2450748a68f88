// What a call to the model costs its run: what the API said that it used, or else what was reserved for it; and what that
// comes to in a thread.

import { costOf } from '../../agent/cost.ts'
import type { Charged } from '../../agent/events.ts'
import { NO_TOKENS, NO_USAGE, addUsage, totalTokens, type Tokens, type Usage } from '../../agent/message.ts'
import type { Core } from '../core.ts'

/**
 * Settles the open call of a run. `said` null: nobody knows what it used. `whole`: it gave its answer; else what was
 * said of it is a lower bound. Answers the usage with its price, null where that is a guess.
 */
export function charge(core: Core, runId: string, said: Tokens | null, whole: boolean): Usage {
  const run = core.runs.get(runId)
  const facts = run && core.out.models.resolve(run.model)?.facts
  if (!run || !facts || said === null) {
    const unknown = whole ? { ...NO_TOKENS, cost_usd: null } : NO_USAGE
    core.runs.settle(
      runId,
      { tokens: run?.openTokens ?? 0, usd: run?.openUsd ?? 0, estimated: true },
      unknown,
    )
    count(core, unknown, false)
    return unknown
  }
  const tokens = totalTokens(said)
  const usd = costOf(facts, said)
  const usage = { ...said, cost_usd: facts.priced || tokens === 0 ? usd : null }
  core.runs.settle(runId, { tokens, usd, estimated: tokens > 0 && !(whole && facts.priced) }, usage)
  count(core, usage, whole)
  return usage
}

/** The thread's own sum; an answer also tells how long the conversation is by now. */
function count(core: Core, usage: Usage, answered: boolean): void {
  const { contextTokens, usage: before } = core.row.data
  core.row.used(answered ? totalTokens(usage) : contextTokens, addUsage(before, usage))
}

/** What all runs of a thread were charged, as chargedOf() says it of one. */
export function chargedInAll(sql: SqlStorage): Charged {
  const { tokens, usd, estimated } = sql
    .exec<{ tokens: number; usd: number; estimated: number }>(
      `SELECT coalesce(sum(used_tokens + open_tokens), 0) AS tokens, coalesce(sum(used_usd + open_usd), 0) AS usd,
         coalesce(max(estimated OR open_tokens > 0), 0) AS estimated FROM runs`,
    )
    .one()
  return { tokens, usd, estimated: estimated === 1 }
}
