// The schema of a Worker's variables. Independent of bindings, so that `npm start` can check variables before it starts
// the Worker.

import * as z from 'zod'
import { MODEL_NAME_MAX_CHARS } from '../limits/requests.ts'
import {
  FILE_CEILING_BYTES,
  FILE_MAX_BYTES,
  FILES_CEILING,
  LEASE_WAIT_CEILING_S,
  SEARCH_CEILING_BYTES,
  SKILLS_CEILING_BYTES,
  THREAD_FILES_CEILING_BYTES,
  THREAD_SEARCH_CEILING_BYTES,
  THREADS_CEILING,
  WORKSPACE_FILES_CEILING_BYTES,
} from '../limits/settings.ts'
import {
  FILES_MAX,
  KEY_FILES_MAX_BYTES,
  LEASE_WAIT_S,
  MODEL_PRICE_MAX_USD,
  MODEL_WINDOW_MAX_TOKENS,
  MODELS_MAX,
  RUNS_PER_KEY_CEILING,
  QUEUED_PER_KEY,
  RETENTION_DAYS_MAX,
  RUNS_PER_KEY,
  SEARCH_MAX_BYTES,
  SEARCH_PRICE_MAX_USD,
  SKILLS_MAX_BYTES,
  THREAD_FILES_MAX_BYTES,
  THREAD_SEARCH_MAX_BYTES,
  THREADS_MAX,
  THREADS_PER_KEY,
  WORKSPACE_FILES_MAX_BYTES,
} from './limits.ts'
import { hostAndPort } from '../lib/hosts.ts'
import { jsonDepth } from '../lib/json-depth.ts'

const DEFAULT_MODEL = 'claude-sonnet-5-5'
/** The price of a cache write relative to input, as in the Messages API. */
const CACHE_WRITE_FACTOR = 1.25

const blankToUndefined = (value: unknown): unknown => (value === '' ? undefined : value)

function count(defaultValue: number, max: number): z.ZodType<number> {
  const error = `must be a whole number from 1 to ${max}`
  const wholeNumber = z.coerce.number(error).int(error).min(1, error).max(max, error)
  return z.preprocess(blankToUndefined, wholeNumber.default(defaultValue))
}

const searchPriceError = `must be a price in US dollars for 1,000 searches, from 0 to ${SEARCH_PRICE_MAX_USD}`
const SearchPrice = z.coerce
  .number(searchPriceError)
  .min(0, searchPriceError)
  .max(SEARCH_PRICE_MAX_USD, searchPriceError)

/** A secret for signing or encrypting, which is never sent. Any text that is long enough is valid. */
const LongSecret = z.preprocess(
  blankToUndefined,
  z.string().min(32, 'must have at least 32 characters').optional(),
)

/** A retention in days. If unset, everything is kept. */
const retentionDays = z.coerce
  .number('must be a whole number of days')
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(RETENTION_DAYS_MAX, `must be at most ${RETENTION_DAYS_MAX} days`)

const Dollars = z.number().min(0).max(MODEL_PRICE_MAX_USD)

/** US dollars for a million tokens. Cache prices that are omitted are estimated, but never too low. */
const Price = z
  .strictObject({
    input: Dollars,
    output: Dollars,
    cache_write: Dollars.optional(),
    cache_read: Dollars.optional(),
  })
  .transform(({ input, output, cache_write, cache_read }) => ({
    input,
    output,
    cacheWrite: cache_write ?? input * CACHE_WRITE_FACTOR,
    cacheRead: cache_read ?? input,
  }))

const Models = z
  .array(
    z
      .strictObject({
        id: z.string().min(1).max(MODEL_NAME_MAX_CHARS),
        window: z.int().min(1).max(MODEL_WINDOW_MAX_TOKENS).optional(),
        price: Price.optional(),
        images: z.boolean().optional(),
        search_price: z.number().min(0).max(SEARCH_PRICE_MAX_USD).optional(),
      })
      .transform(({ search_price, ...model }) =>
        search_price === undefined ? model : { ...model, searchPrice: search_price / 1_000 },
      ),
  )
  .min(1)
  .max(MODELS_MAX)
  .superRefine((models, context) => {
    for (const [index, { id }] of models.entries())
      if (models.findIndex((other) => other.id === id) < index)
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: `${id} is listed twice; remove one`,
        })
  })

/** Parses JSON. Invalid JSON and valid JSON of the wrong shape give different errors. */
const Json = z.string().transform((text, context): unknown => {
  try {
    if (jsonDepth(text) <= 4) return JSON.parse(text)
  } catch {
    // Reported below.
  }
  context.addIssue({
    code: 'custom',
    message:
      'is not valid JSON; write it like [{"id": "my-model", "window": 200000, "price": {"input": 2, "output": 10}}]',
  })
  return z.NEVER
})

/** A list such as `127.0.0.1:4010, tickets.local:80`. */
const HostList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .superRefine((entries, context) => {
    for (const entry of entries.filter((hostEntry) => hostAndPort(hostEntry) === null))
      context.addIssue({
        code: 'custom',
        message: `"${entry}" is not a host with a port, such as 127.0.0.1:4010`,
      })
  })

const Fields = z.object({
  ANTHROPIC_API_KEY: z.preprocess(blankToUndefined, z.string().optional()),
  ANTHROPIC_BASE_URL: z.preprocess(
    blankToUndefined,
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ),
  MODEL: z.preprocess(blankToUndefined, z.string().optional()),
  MODELS: z.preprocess(blankToUndefined, Json.pipe(Models).optional()),
  ADMIN_KEY: z.preprocess(
    blankToUndefined,
    z
      .string()
      .min(24, 'must have at least 24 characters')
      .regex(/^[\x21-\x7e][\x20-\x7e]{0,500}[\x21-\x7e]$/, 'must be ASCII text that is valid in a header')
      .optional(),
  ),
  ID_SECRET: LongSecret,
  ID_SECRET_PREVIOUS: LongSecret,
  ENCRYPTION_KEY: LongSecret,
  ENCRYPTION_KEY_PREVIOUS: LongSecret,
  /** Whether URLs may contain secrets. Only the operator can allow it, because servers and proxies log URLs. */
  SECRETS_IN_URL: z.preprocess(blankToUndefined, z.enum(['on', 'off']).default('off')),
  RUNS_PER_KEY: count(RUNS_PER_KEY, RUNS_PER_KEY_CEILING),
  QUEUED_PER_KEY: count(QUEUED_PER_KEY, RUNS_PER_KEY_CEILING),
  LEASE_WAIT_S: count(LEASE_WAIT_S, LEASE_WAIT_CEILING_S),
  FILES_MAX: count(FILES_MAX, FILES_CEILING),
  FILE_MAX_BYTES: count(FILE_MAX_BYTES, FILE_CEILING_BYTES),
  THREAD_FILES_MAX_BYTES: count(THREAD_FILES_MAX_BYTES, THREAD_FILES_CEILING_BYTES),
  KEY_FILES_MAX_BYTES: count(KEY_FILES_MAX_BYTES, WORKSPACE_FILES_CEILING_BYTES),
  WORKSPACE_FILES_MAX_BYTES: count(WORKSPACE_FILES_MAX_BYTES, WORKSPACE_FILES_CEILING_BYTES),
  THREADS_MAX: count(THREADS_MAX, THREADS_CEILING),
  THREADS_PER_KEY: count(THREADS_PER_KEY, THREADS_CEILING),
  THREAD_SEARCH_MAX_BYTES: count(THREAD_SEARCH_MAX_BYTES, THREAD_SEARCH_CEILING_BYTES),
  SEARCH_MAX_BYTES: count(SEARCH_MAX_BYTES, SEARCH_CEILING_BYTES),
  SKILLS_MAX_BYTES: count(SKILLS_MAX_BYTES, SKILLS_CEILING_BYTES),
  ALLOWED_TOOLS: z.preprocess(blankToUndefined, z.enum(['enforce', 'warn']).default('enforce')),
  REVOKED_KEYS_DAYS: z.preprocess(blankToUndefined, retentionDays.optional()),
  EVENTS_RETENTION_DAYS: z.preprocess(blankToUndefined, retentionDays.optional()),
  SEARCH_PROVIDER: z.preprocess(blankToUndefined, z.enum(['tavily', 'brave', 'searxng']).optional()),
  SEARCH_API_KEY: z.preprocess(
    blankToUndefined,
    z
      .string()
      .regex(/^[\x21-\x7e]{8,500}$/, 'must be 8 or more ASCII characters without spaces')
      .optional(),
  ),
  SEARCH_URL: z.preprocess(
    blankToUndefined,
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ),
  SEARCH_PRICE: z.preprocess(blankToUndefined, SearchPrice.optional()),
  PRIVATE_HOSTS: z.preprocess(blankToUndefined, HostList.optional()),
  USER_AGENT: z.preprocess(
    blankToUndefined,
    z
      .string()
      .regex(
        /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/,
        'must be ASCII text that is valid in a header',
      )
      .default('Satchel/0.1.0'),
  ),
  /** Set only by `npm start`: enables the admin route that replaces the live build while skills are edited. */
  DEV_BUILD: z.preprocess(blankToUndefined, z.string().optional()),
})

/** The variables in a Worker's environment, unchecked. */
export type VariableTexts = Readonly<Partial<Record<keyof typeof Fields.shape, string>>>

/** The names of all variables that a person may set, in `.dev.vars` or for a deployed Worker. */
export const VARIABLE_NAMES = Fields.omit({ DEV_BUILD: true }).keyof().options

export const Variables = Fields.superRefine(({ SEARCH_PROVIDER, SEARCH_API_KEY, SEARCH_URL }, context) => {
  const lacks = (name: string): void =>
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `is required if SEARCH_PROVIDER is ${SEARCH_PROVIDER}`,
    })
  if (SEARCH_PROVIDER === 'searxng' && SEARCH_URL === undefined) lacks('SEARCH_URL')
  if (SEARCH_PROVIDER && SEARCH_PROVIDER !== 'searxng' && SEARCH_API_KEY === undefined)
    lacks('SEARCH_API_KEY')
})
  .superRefine(({ MODEL, MODELS }, context) => {
    if (MODEL === undefined || MODELS === undefined || MODELS.some(({ id }) => id === MODEL)) return
    const listed = MODELS.map(({ id }) => id).join(', ')
    context.addIssue({
      code: 'custom',
      path: ['MODEL'],
      message: `is not one of MODELS (${listed}); add it there, or unset MODEL to use the first of them`,
    })
  })
  .transform((variables) => ({
    ...variables,
    MODEL: variables.MODEL ?? variables.MODELS?.[0]?.id ?? DEFAULT_MODEL,
  }))

/** The path of a field in a JSON variable, such as `MODELS[1].price.input`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

/** The errors of the variables, one line each, with their names but not their values. Empty if all are valid. */
export function variableFaults(variables: Readonly<Record<string, unknown>>): readonly string[] {
  const checked = Variables.safeParse(variables)
  return checked.success
    ? []
    : checked.error.issues.map((issue) => `${fieldPath(issue.path)}: ${issue.message}`)
}
