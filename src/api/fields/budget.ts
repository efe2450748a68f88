// The limits of a run that a request may set, and their maximum for its key.

import * as z from 'zod'
import { lowered, type MaxBudget } from '../../lib/max-budget.ts'
import { ok, type Result } from '../../lib/result.ts'
import {
  RUN_RECOVERIES_DEFAULT,
  RUN_STEPS_DEFAULT,
  RUN_TOKENS_DEFAULT,
  RUN_TOOL_CALLS_DEFAULT,
  RUN_USD_DEFAULT,
  RUN_WALL_DEFAULT_S,
} from '../../limits/runs.ts'
import type { RunBudget } from '../../thread/api.ts'
import { invalidRequest } from '../bodies/json-body.ts'
import {
  RUN_RECOVERIES_MAX,
  RUN_STEPS_MAX,
  RUN_TOKENS_MAX,
  RUN_TOOL_CALLS_MAX,
  RUN_USD_MAX,
  RUN_WALL_MAX_S,
} from './limits.ts'

/** Any of the limits. The cast is safe: JSON has no undefined. */
export const SomeBudget = z
  .strictObject({
    tokens: z.int().min(1).max(RUN_TOKENS_MAX),
    usd: z.number().positive().max(RUN_USD_MAX),
    steps: z.int().min(1).max(RUN_STEPS_MAX),
    tool_calls: z.int().min(0).max(RUN_TOOL_CALLS_MAX),
    wall_s: z.number().positive().max(RUN_WALL_MAX_S),
    recoveries: z.int().min(0).max(RUN_RECOVERIES_MAX),
  })
  .partial() as unknown as z.ZodType<Partial<RunBudget>>

const DEFAULT_BUDGET: RunBudget = {
  tokens: RUN_TOKENS_DEFAULT,
  usd: RUN_USD_DEFAULT,
  steps: RUN_STEPS_DEFAULT,
  tool_calls: RUN_TOOL_CALLS_DEFAULT,
  wall_s: RUN_WALL_DEFAULT_S,
  recoveries: RUN_RECOVERIES_DEFAULT,
}

/** The budget, with defaults for the fields that are absent. */
export function wholeBudget(given: Partial<RunBudget>): RunBudget {
  return { ...DEFAULT_BUDGET, ...given }
}

/** The budget of a request: a default above `most` is lowered to it, and a given limit above it is refused. */
export function budgetWithin(given: Partial<RunBudget> = {}, most: MaxBudget = {}): Result<RunBudget> {
  const errors = Object.entries(given).flatMap(([name, requested]) => {
    const max = most[name] ?? requested
    const message = `must be at most ${max}, the most that a run of your key may use (max_budget)`
    return requested > max ? [{ path: `budget.${name}`, message }] : []
  })
  return errors.length > 0 ? invalidRequest(errors) : ok(lowered(wholeBudget(given), most))
}
