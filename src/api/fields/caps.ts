// The schemas of caps and of the limits of a workspace.

import * as z from 'zod'
import {
  CAP_NAMES_MAX,
  CAP_RUNS_MAX,
  CAP_RUNS_MIN,
  CAP_TOKENS_MAX,
  CAP_TOKENS_MIN,
  CAP_USD_MAX,
  CAP_USD_MIN,
} from '../../limits/caps.ts'
import type { Caps, LimitsPatch } from '../../workspace/cap-api.ts'
import { SomeBudget } from './budget.ts'
import { shortText } from './fields.ts'
import { USER_MAX_CHARS } from './limits.ts'

const spent = {
  usd: z
    .number()
    .min(CAP_USD_MIN)
    .max(CAP_USD_MAX)
    .multipleOf(1e-6, 'must have at most 6 decimals')
    .optional(),
  tokens: z.int().min(CAP_TOKENS_MIN).max(CAP_TOKENS_MAX).optional(),
}

function isNotEmpty(value: object): boolean {
  return Object.keys(value).length > 0
}

const Amounts = z
  .strictObject({ ...spent, runs: z.int().min(CAP_RUNS_MIN).max(CAP_RUNS_MAX).optional() })
  .refine(isNotEmpty, 'must have usd, tokens or runs')

// The cast is safe: JSON has no undefined.
export const CapFields = z
  .strictObject({ day: Amounts.optional(), month: Amounts.optional() })
  .refine(isNotEmpty, 'must have day or month') as unknown as z.ZodType<Caps>

export const MaxBudgetFields = SomeBudget.refine(isNotEmpty, 'must have at least one limit')

/** The names in a section, each of which a change may set, or remove with null. */
function names<S extends z.ZodRawShape>(fields: S): z.ZodType {
  const nullable = Object.entries(fields).map(([name, value]) => [name, z.nullish(value)])
  return z.strictObject(Object.fromEntries(nullable)).nullish()
}

const namedCaps = z
  .record(shortText(USER_MAX_CHARS).min(1), CapFields.nullable())
  .refine((caps) => Object.keys(caps).length <= CAP_NAMES_MAX, `must have at most ${CAP_NAMES_MAX} names`)
  .nullish()

const windows = names({ day: Amounts, month: Amounts })

// The cast is safe: the schema has the names of the type, and JSON has no undefined.
export const LimitsPatchFields = z
  .strictObject({
    workspace: windows,
    key: windows,
    user: windows,
    users: namedCaps,
    hook: windows,
    hooks: namedCaps,
    thread: names(spent),
    max_budget: names({
      chat: MaxBudgetFields,
      publisher: MaxBudgetFields,
      admin: MaxBudgetFields,
      hook: MaxBudgetFields,
    }),
  })
  .refine(isNotEmpty, 'must change at least one limit') as unknown as z.ZodType<LimitsPatch>
