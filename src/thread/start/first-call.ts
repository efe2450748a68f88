// Checks whether a run's budget covers its first call to the model. This happens before anything is stored,
// because a run that never called the model would leave an empty thread.

import { estimateUnmeasuredTokens, worstCaseCost } from '../../agent/cost.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { MODEL_MIN_TOKENS } from '../../limits/model.ts'
import type { LeaseWish } from '../../workspace/cap-api.ts'
import { planReservation, type Spent } from '../executor/budget.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import { maxServerSearches } from '../executor/server-search.ts'
import type { RunBudget } from '../api.ts'
import type { Parts } from '../parts.ts'
import { NO_CHARGES, wishOf } from '../rows/run-lease.ts'
import type { ThreadData } from '../rows/thread-row.ts'
import type { ComposedMessage } from './begin-run.ts'
import { FIRST_REQUEST_TOKENS } from './limits.ts'

const NOTHING_SPENT: Spent = {
  steps: 0,
  toolCalls: 0,
  recoveries: 0,
  interruptedWaits: 0,
  usedTokens: 0,
  usedUsd: 0,
  openTokens: 0,
  openUsd: 0,
  plannedCalls: 0,
  ranMs: 0,
}

/** What a run asks of the caps of its workspace before it begins: enough for a first response. */
export function firstWish(
  {
    thread,
    ports,
  }: { readonly thread: Parts<'row'> | null; readonly ports: Parts<never, 'models' | 'now'>['ports'] },
  user: string | null,
  budget: RunBudget,
  model: string | null,
): LeaseWish {
  const data = thread?.row.data
  const facts = ports.models.resolve(model ?? data?.model ?? '')?.facts
  const inputTokens = Math.max(FIRST_REQUEST_TOKENS, data?.contextTokens ?? 0)
  const usd = facts ? worstCaseCost(facts, inputTokens, MODEL_MIN_TOKENS) : 0
  const next = { usd, tokens: inputTokens + MODEL_MIN_TOKENS }
  return wishOf(NO_CHARGES, budget, next, data ? data.user : user, ports.now())
}

/**
 * Fails with `invalid_request` at `budget`. For a queued run this checks the current conversation, which can
 * only grow. `thread` is null if it will be created from `data`.
 */
export function checkFirstCall(
  { models }: Parts<never, 'models'>['ports'],
  thread: Parts<'row' | 'transcript'> | null,
  { model, system, tools }: Pick<ThreadData, 'model' | 'system' | 'tools'>,
  budget: RunBudget,
  { content }: Pick<ComposedMessage, 'content'>,
): Result<null> {
  const facts = models.resolve(model)?.facts
  // The run itself reports a missing model.
  if (!facts) return ok(null)
  const promptTokens = thread
    ? estimateInputTokens(thread)
    : // The same estimate that inputTokens() returns before the first response.
      estimateTokens(system + JSON.stringify(tools.map(({ spec }) => spec)))
  const tokens = promptTokens + estimateUnmeasuredTokens([{ role: 'user', content }])
  if (!('stop' in planReservation(NOTHING_SPENT, budget, facts, tokens, maxServerSearches(tools))))
    return ok(null)
  return fail(
    'invalid_request',
    `The budget does not cover a first response: the request is about ${tokens} tokens, and a response needs at least ${MODEL_MIN_TOKENS}. Raise budget.tokens or budget.usd.`,
    { errors: [{ path: 'budget', message: 'does not cover a first response' }] },
  )
}
