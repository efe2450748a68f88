// The variables of a Worker: what each may be. Knows no binding, so that `npm start` can check them before it starts.

import * as z from 'zod'
import { EVENTS_RETENTION_MAX_DAYS } from './limits.ts'

const blank = (value: unknown): unknown => (value === '' ? undefined : value)

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
  ALLOWED_TOOLS: z.preprocess(blank, z.enum(['enforce', 'warn']).default('enforce')),
  EVENTS_RETENTION_DAYS: z.preprocess(
    blank,
    z.coerce
      .number('must be a whole number of days')
      .int('must be a whole number of days')
      .min(1, 'must be at least 1')
      .max(EVENTS_RETENTION_MAX_DAYS)
      .optional(),
  ),
  DEV_BUILD: z.preprocess(blank, z.string().optional()),
})

/** What is wrong with variables as they are set, one line each by name; never a value. Empty: they will do. */
export function variableFaults(variables: Readonly<Record<string, unknown>>): readonly string[] {
  const checked = Variables.safeParse(variables)
  return checked.success
    ? []
    : checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
}
