// A run's limits. The worst case of a call is reserved before it, and replaced by the actual cost after it. Progress,
// retries and recovery never reset what is spent. Pure.

import { priceAt, searchCost, worstCaseCost } from '../../agent/cost.ts'
import type { ReachedLimit } from '../../agent/loop.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { MODEL_MIN_TOKENS } from '../../limits/model.ts'
import { RUN_INTERRUPTED_WAITS_MAX } from './limits.ts'
import { outputTokensOf } from '../windows/fullness.ts'
import type { RunBudget } from '../api.ts'
import { ranMs, type ReservedCost, type Run } from '../rows/run.ts'

/**
 * What a run has spent, reserved and planned. The `open…` fields are reserved for the call in progress; `openUsd`
 * includes its searches.
 */
export type Spent = Pick<
  Run,
  | 'steps'
  | 'toolCalls'
  | 'recoveries'
  | 'interruptedWaits'
  | 'usedTokens'
  | 'usedUsd'
  | 'openTokens'
  | 'openUsd'
> & {
  /** Calls that the model requested and that have not started. */
  readonly plannedCalls: number
  /** Time since the run started, without the time it waited for people or other systems. */
  readonly ranMs: number
}

export function spentOf(run: Run, now: number, plannedCalls = 0): Spent {
  const openUsd = run.openUsd + run.openSearchUsd
  return { ...run, openUsd, plannedCalls, ranMs: ranMs(run, now) }
}

export interface CallReservation extends ReservedCost {
  readonly maxOutputTokens: number
}

const MILLION = 1_000_000

/**
 * Returns the limit that the run has reached, or null. The limit on tool calls only prevents more calls: a
 * run that has used all of them may still respond, and ends only if it requests more.
 */
export function reachedLimit(spent: Spent, budget: RunBudget): ReachedLimit | null {
  const interruptionLimit = (times: number, max: number, during: string): ReachedLimit => ({
    stop: 'recovery_limit',
    detail: `The run was interrupted ${times} times${during}; ${max} are allowed.`,
  })
  const budgetLimit = (field: keyof RunBudget, whatHappened: string): ReachedLimit => ({
    stop: field === 'steps' ? 'step_limit' : 'budget',
    detail: `The run ${whatHappened}. Raise budget.${field} to allow more.`,
  })
  if (spent.recoveries > budget.recoveries) return interruptionLimit(spent.recoveries, budget.recoveries, '')
  if (spent.interruptedWaits > RUN_INTERRUPTED_WAITS_MAX)
    return interruptionLimit(
      spent.interruptedWaits,
      RUN_INTERRUPTED_WAITS_MAX,
      ' while it waited for the model',
    )
  if (spent.steps >= budget.steps) return budgetLimit('steps', `used all of its ${budget.steps} steps`)
  if (spent.ranMs >= budget.wall_s * 1000)
    return budgetLimit('wall_s', `exceeded its time limit of ${budget.wall_s} seconds`)
  if (spent.plannedCalls > 0 && spent.toolCalls >= budget.tool_calls)
    return budgetLimit('tool_calls', `used all of its ${budget.tool_calls} tool calls and requested more`)
  if (spent.usedTokens + spent.openTokens >= budget.tokens)
    return budgetLimit('tokens', `used all of its ${budget.tokens} tokens`)
  if (spent.usedUsd + spent.openUsd >= budget.usd)
    return budgetLimit('usd', `used all of its ${budget.usd} dollars`)
  return null
}

/**
 * The reservation for the worst case of the next call. Requests less output if less budget is left, but never less
 * than a useful response needs; if even that is not covered, returns the limit, and no call is made. `searches` is the
 * maximum number of searches that the provider may make, `maxOutput` the most output that is useful.
 */
export function planReservation(
  spent: Spent,
  budget: RunBudget,
  facts: ModelFacts,
  inputTokens: number,
  searches = 0,
  maxOutput = Infinity,
): CallReservation | ReachedLimit {
  const outputTokensLeft = budget.tokens - spent.usedTokens - spent.openTokens - inputTokens
  const searchUsd = searchCost(facts, searches)
  const outputUsdLeft =
    budget.usd - spent.usedUsd - spent.openUsd - searchUsd - worstCaseCost(facts, inputTokens, 0)
  const { output: outputUsdPerMillion } = priceAt(facts, inputTokens)
  // Free output has no limit, unless input and searches already exceed the budget (then -Infinity).
  const affordableTokens =
    outputUsdPerMillion > 0 || outputUsdLeft < 0
      ? Math.floor((outputUsdLeft * MILLION) / outputUsdPerMillion)
      : Infinity
  const maxOutputTokens = Math.min(outputTokensOf(facts), maxOutput, outputTokensLeft, affordableTokens)
  if (maxOutputTokens < MODEL_MIN_TOKENS)
    return {
      stop: 'budget',
      detail: `The budget of the run does not cover another response: the input of the next call and its searches would leave ${Math.max(0, outputTokensLeft)} tokens and ${Math.max(0, outputUsdLeft).toFixed(4)} dollars for the output. Raise budget.tokens or budget.usd.`,
    }
  const usd = worstCaseCost(facts, inputTokens, maxOutputTokens) + searchUsd
  return { maxOutputTokens, tokens: inputTokens + maxOutputTokens, usd, inputTokens }
}
