// The schemas of requests that create or change a hook.

import * as z from 'zod'
import { TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import {
  HMAC_OPTION_MAX_CHARS,
  HMAC_TOLERANCE_MAX_S,
  WEBHOOK_TIMESTAMP_TOLERANCE_S,
} from '../../webhooks/schemes/limits.ts'
import { jsonBytes } from '../../lib/json-bytes.ts'
import type { FilterCondition } from '../../webhooks/filter.ts'
import {
  FILTER_CONDITIONS_MAX,
  FILTER_VALUE_MAX_CHARS,
  FILTER_VALUES_MAX,
  KEEP_DAYS_DEFAULT,
  KEEP_DAYS_MAX,
  SECRET_OVERLAP_DEFAULT_S,
  SECRET_OVERLAP_MAX_S,
} from '../../webhooks/limits.ts'
import { patchOf, shortText } from './fields.ts'
import { JsonPointer, runOptionFields } from './run-options.ts'

const HeaderName = z
  .string()
  .max(HMAC_OPTION_MAX_CHARS)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be the name of a header')

/** How the sender signs, for the scheme `hmac`. */
const Signature = z.strictObject({
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
  header: HeaderName,
  prefix: shortText(HMAC_OPTION_MAX_CHARS).default(''),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  signed: shortText(HMAC_OPTION_MAX_CHARS).default('{body}'),
  timestamp: z
    .strictObject({
      header: HeaderName,
      tolerance_s: z.int().min(1).max(HMAC_TOLERANCE_MAX_S).default(WEBHOOK_TIMESTAMP_TOLERANCE_S),
    })
    .nullable()
    .default(null),
  id: z
    .union([z.strictObject({ header: HeaderName }), z.strictObject({ pointer: JsonPointer.min(1) })])
    .nullable()
    .default(null),
})

const HeaderOrPointer = { pointer: JsonPointer.optional(), header: HeaderName.optional() }
const ComparedValue = z
  .json()
  .refine((value) => jsonBytes(JSON.stringify(value)) <= FILTER_VALUE_MAX_CHARS, 'is too long')

const Condition = z
  .strictObject({
    ...HeaderOrPointer,
    equals: ComparedValue.optional(),
    in: z.array(ComparedValue).min(1).max(FILTER_VALUES_MAX).optional(),
    matches: shortText(FILTER_VALUE_MAX_CHARS).min(1).optional(),
    exists: z.boolean().optional(),
  })
  .refine(
    ({ pointer, header }) => (pointer === undefined) !== (header === undefined),
    'must have either pointer or header',
  )
  .refine(
    ({ equals, in: values, matches, exists }) =>
      [equals, values, matches, exists].filter((test) => test !== undefined).length === 1,
    'must have one of equals, in, matches and exists',
  )
  // The refinements above make this cast safe.
  .transform((condition) => condition as FilterCondition)

const Conditions = z.array(Condition).min(1).max(FILTER_CONDITIONS_MAX)

const Filter = z.union([z.strictObject({ all: Conditions }), z.strictObject({ any: Conditions })])

const ReplyCall = z.strictObject({
  tool: shortText(TOOL_NAME_MAX_CHARS).min(1),
  input: z.record(z.string(), z.json()),
})

/** What an admin may change without a new URL or secret. */
const changeable = {
  name: z.string(),
  signature: Signature.nullable().default(null),
  template: z.string().default('{{payload}}'),
  filter: Filter.nullable().default(null),
  thread: z.union([z.enum(['each', 'one']), z.strictObject({ key: z.string() })]).default('each'),
  on_busy: z.enum(['enqueue', 'latest']).default('enqueue'),
  keep_days: z.int().min(0).max(KEEP_DAYS_MAX).default(KEEP_DAYS_DEFAULT),
  reply: ReplyCall.extend({ start: ReplyCall.nullable().default(null) })
    .nullable()
    .default(null),
  ...runOptionFields,
}

export const HookFields = z.strictObject(changeable)

export const NewHook = z.strictObject({
  ...changeable,
  scheme: z
    .enum([
      'standard',
      'github',
      'gitlab',
      'slack',
      'stripe',
      'linear',
      'pagerduty',
      'hmac',
      'bearer',
      'basic',
    ])
    .default('standard'),
  /** A secret chosen by the sender. If absent, a secret is created and shown once. */
  secret: z.string().optional(),
})

export const HookPatch = patchOf(HookFields)

export const Rotation = z.strictObject({
  secret: z.string().nullable().default(null),
  overlap_s: z.int().min(0).max(SECRET_OVERLAP_MAX_S).default(SECRET_OVERLAP_DEFAULT_S),
})
