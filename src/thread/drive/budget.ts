// A run's lids: charged before the call, settled after, never reset by progress, retry or recovery. Pure.

import { priceAt, worstCost } from '../../agent/cost.ts'
import type { ReachedLid } from '../../agent/loop.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { MODEL_MAX_TOKENS, MODEL_MIN_TOKENS, RUN_INTERRUPTED_WAITS, RUN_RECOVERIES } from '../../limits.ts'
import type { RunBudget } from '../api.ts'

/** What a run has spent so far, in the units of its lids. `open…` is reserved for the call that is going on. */
export interface Spent {
  readonly steps: number
  readonly toolCalls: number
  /** Asked for by the model and not begun. */
  readonly plannedCalls: number
  readonly recoveries: number
  /** Deaths while it merely waited for the model. */
  readonly interruptedWaits: number
  readonly tokens: number
  readonly usd: number
  readonly openTokens: number
  readonly openUsd: number
  /** Since the run was started. */
  readonly wallMs: number
}

export interface Reservation {
  readonly maxTokens: number
  readonly tokens: number
  readonly usd: number
}

const MILLION = 1_000_000

function lid(stop: ReachedLid['stop'], detail: string): ReachedLid {
  return { stop, detail }
}

/**
 * The lid that stands in the way of going on, or null.
 * The lid on tool calls stands in the way of tools only: a run that made all of its calls may still answer, and ends
 * when it asks for more.
 */
export function reachedLid(spent: Spent, budget: RunBudget): ReachedLid | null {
  if (spent.recoveries > RUN_RECOVERIES)
    return lid(
      'recovery_limit',
      `The run was interrupted ${spent.recoveries} times; ${RUN_RECOVERIES} are allowed.`,
    )
  if (spent.interruptedWaits > RUN_INTERRUPTED_WAITS)
    return lid(
      'recovery_limit',
      `The run was interrupted ${spent.interruptedWaits} times while it waited for the model; ${RUN_INTERRUPTED_WAITS} are allowed.`,
    )
  if (spent.steps >= budget.steps)
    return lid(
      'step_limit',
      `The run used all of its ${budget.steps} steps. Raise budget.steps to allow more.`,
    )
  if (spent.wallMs >= budget.wall_s * 1000)
    return lid(
      'budget',
      `The run took longer than its ${budget.wall_s} seconds. Raise budget.wall_s to allow more.`,
    )
  if (spent.plannedCalls > 0 && spent.toolCalls >= budget.tool_calls)
    return lid(
      'budget',
      `The run made all of its ${budget.tool_calls} tool calls and asked for more. Raise budget.tool_calls to allow more.`,
    )
  if (spent.tokens + spent.openTokens >= budget.tokens)
    return lid(
      'budget',
      `The run used all of its ${budget.tokens} tokens. Raise budget.tokens to allow more.`,
    )
  if (spent.usd + spent.openUsd >= budget.usd)
    return lid('budget', `The run used all of its ${budget.usd} dollars. Raise budget.usd to allow more.`)
  return null
}

/**
 * Reserves the worst case of the next call. The output asked for shrinks to what is left, never below a useful
 * answer; when even that does not fit, the lid is reached before any money is spent.
 */
export function reserve(
  spent: Spent,
  budget: RunBudget,
  facts: ModelFacts,
  inputTokens: number,
): Reservation | ReachedLid {
  const tokensLeft = budget.tokens - spent.tokens - spent.openTokens - inputTokens
  const usdLeft = budget.usd - spent.usd - spent.openUsd - worstCost(facts, inputTokens, 0)
  const { output } = priceAt(facts, inputTokens)
  const payable = output > 0 || usdLeft < 0 ? Math.floor((usdLeft * MILLION) / output) : Infinity
  const maxTokens = Math.min(MODEL_MAX_TOKENS, tokensLeft, payable)
  if (maxTokens < MODEL_MIN_TOKENS)
    return lid(
      'budget',
      `What is left of the run's budget (${Math.max(0, tokensLeft)} tokens, ${Math.max(0, usdLeft).toFixed(4)} dollars) does not pay for another answer. Raise budget.tokens or budget.usd.`,
    )
  return { maxTokens, tokens: inputTokens + maxTokens, usd: worstCost(facts, inputTokens, maxTokens) }
}
