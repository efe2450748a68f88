// What a call to the model costs its run: what the API reported that it used, or else what was reserved for it.

import { costOf } from '../../agent/cost.ts'
import { NO_TOKENS, NO_USAGE, addUsage, totalTokens, type Tokens, type Usage } from '../../agent/message.ts'
import type { Parts } from '../parts.ts'

/**
 * Settles the open call of a run. `reported` null: nobody knows what it used. `whole`: it gave its answer; else what was
 * reported is a lower bound. Answers the usage with its price, null where that is a guess.
 */
export function charge(
  { row, runs, out }: Parts<'row' | 'runs', 'models'>,
  runId: string,
  reported: Tokens | null,
  whole: boolean,
): Usage {
  const run = runs.get(runId)
  const facts = run && out.models.resolve(run.model)?.facts
  const { contextTokens, usage: before } = row.data
  if (!run || !facts || reported === null) {
    const unknown = whole ? { ...NO_TOKENS, cost_usd: null } : NO_USAGE
    runs.settle(runId, { tokens: run?.openTokens ?? 0, usd: run?.openUsd ?? 0, estimated: true }, unknown)
    row.used(contextTokens, addUsage(before, unknown))
    return unknown
  }
  const tokens = totalTokens(reported)
  const usd = costOf(facts, reported)
  const usage = { ...reported, cost_usd: facts.priced || tokens === 0 ? usd : null }
  runs.settle(runId, { tokens, usd, estimated: tokens > 0 && !(whole && facts.priced) }, usage)
  // An answer also says how long the conversation is by now; but for one with searches, which read it once more for each.
  const length = reported.web_search_requests === undefined ? tokens : 0
  row.used(whole ? length : contextTokens, addUsage(before, usage))
  return usage
}
