// The variables of a Worker: what each may be. Knows no binding, so that `npm start` can check them before it starts.

import * as z from 'zod'
import { PER_KEY_MAX, QUEUED_PER_KEY, RETENTION_DAYS_MAX, RUNS_PER_KEY } from './limits.ts'

const blank = (value: unknown): unknown => (value === '' ? undefined : value)

function perKey(standard: number): z.ZodType<number> {
  const error = `must be a whole number from 1 to ${PER_KEY_MAX}`
  const whole = z.coerce.number(error).int(error).min(1, error).max(PER_KEY_MAX, error)
  return z.preprocess(blank, whole.default(standard))
}

/** Signs ids and is never sent: any text that is long enough. */
const IdSecret = z.preprocess(blank, z.string().min(32, 'must have at least 32 characters').optional())

/** A retention. Without it everything is kept. */
const days = z.coerce
  .number('must be a whole number of days')
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(RETENTION_DAYS_MAX, `must be at most ${RETENTION_DAYS_MAX} days`)

export const Variables = z.object({
  ANTHROPIC_API_KEY: z.preprocess(blank, z.string().optional()),
  ANTHROPIC_BASE_URL: z.preprocess(
    blank,
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ),
  MODEL: z.preprocess(blank, z.string().default('claude-sonnet-5-5')),
  ADMIN_KEY: z.preprocess(
    blank,
    z
      .string()
      .min(24, 'must have at least 24 characters')
      .regex(/^[\x21-\x7e][\x20-\x7e]{0,500}[\x21-\x7e]$/, 'must be ASCII text that fits into a header')
      .optional(),
  ),
  ID_SECRET: IdSecret,
  ID_SECRET_PREVIOUS: IdSecret,
  RUNS_PER_KEY: perKey(RUNS_PER_KEY),
  QUEUED_PER_KEY: perKey(QUEUED_PER_KEY),
  ALLOWED_TOOLS: z.preprocess(blank, z.enum(['enforce', 'warn']).default('enforce')),
  REVOKED_KEYS_DAYS: z.preprocess(blank, days.optional()),
  DEV_BUILD: z.preprocess(blank, z.string().optional()),
})

/** What is wrong with variables as they are set, one line each by name; never a value. Empty: they will do. */
export function variableFaults(variables: Readonly<Record<string, unknown>>): readonly string[] {
  const checked = Variables.safeParse(variables)
  return checked.success
    ? []
    : checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
}
