// Parses and checks the definition of an HTTP tool, fills in defaults, and computes its digests.

import * as z from 'zod'
import { NEVER_ASK, type ApprovalRule } from '../../agent/approval.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { Effect } from '../../agent/tool.ts'
import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { fieldErrors, type FieldError } from '../../lib/field-errors.ts'
import { isObject } from '../../lib/json-object.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { codePoints } from '../../lib/text.ts'
import { FIELD_ERRORS_MAX } from '../../limits/requests.ts'
import {
  HTTP_TOOL_GROUP_MAX_CHARS,
  HTTP_TOOL_LIST_ENTRIES_MAX,
  HTTP_TOOL_TEXT_MAX_CHARS,
  HTTP_TOOL_URL_MAX_CHARS,
  TOOL_SCHEMA_MAX_BYTES,
} from '../../limits/tools.ts'
import {
  HTTP_TOOL_ANSWER_MAX_CHARS,
  HTTP_TOOL_DESCRIPTION_MAX_CHARS,
  HTTP_TOOL_MAX_BYTES,
  HTTP_TOOL_TIMEOUT_MAX_S,
  HTTP_TOOL_TIMEOUT_DEFAULT_S,
} from './limits.ts'
import type { Method } from '../../net/fetch.ts'
import { SECRET_NAME } from '../../secrets/name.ts'
import { compilePattern } from '../files/pattern.ts'
import { schemaErrors } from './input-schema.ts'
import { requestErrors } from './request-rules.ts'
import type { HttpToolDefinition } from './shape.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const EFFECTS = ['read', 'idempotent', 'once'] as const

export interface DefinitionRules {
  /** Whether the operator allows secrets in URLs, although servers log them. False by default. */
  readonly secretsInUrl?: boolean
}

function text(max: number): z.ZodString {
  return z.string().refine((value) => codePoints(value) <= max, `must have at most ${max} characters`)
}

function limitedList<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).max(HTTP_TOOL_LIST_ENTRIES_MAX)
}

const Pointer = text(HTTP_TOOL_TEXT_MAX_CHARS).regex(
  /^(?:\/(?:[^~/]|~[01])*)*$/,
  'must be a JSON pointer, such as /items/0/title',
)
const Templates = z
  .record(z.string(), text(HTTP_TOOL_TEXT_MAX_CHARS))
  .refine(
    (templates) => Object.keys(templates).length <= HTTP_TOOL_LIST_ENTRIES_MAX,
    `must have at most ${HTTP_TOOL_LIST_ENTRIES_MAX} fields`,
  )
const Pattern = z.string().superRefine((value, context) => {
  const compiled = compilePattern(value, { wholeText: true })
  if (!compiled.ok) context.addIssue(`must be a pattern in RE2 syntax. ${compiled.error}`)
})

const Condition = z
  .strictObject({
    field: Pointer,
    matches: Pattern.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  })
  .refine(({ matches, minimum, maximum }) => (matches ?? minimum ?? maximum) !== undefined, {
    message: 'must have matches, minimum or maximum',
  })
  .refine(({ matches, minimum, maximum }) => matches === undefined || (minimum ?? maximum) === undefined, {
    message: 'must have either matches, or minimum and maximum',
  })
  .refine(({ minimum = -Infinity, maximum = Infinity }) => minimum <= maximum, {
    path: ['minimum'],
    message: 'must not be above maximum',
  })
  .transform(({ field, matches, minimum, maximum }) => {
    if (matches !== undefined) return { field, matches }
    return {
      field,
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    }
  })

const Approval = z
  .strictObject({
    ask: z.enum(['always', 'match', 'never']),
    when: limitedList(Condition).optional(),
    free: limitedList(Pointer.min(1, 'must name a field, such as /title')).optional(),
    by: z.literal('admin').optional(),
  })
  .refine(({ ask, when }) => ask !== 'match' || (when ?? []).length > 0, {
    path: ['when'],
    message: 'must name at least one condition if ask is "match"',
  })

const Definition = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
      'must begin with a letter and have at most 64 letters, digits, _ and -',
    ),
  description: text(HTTP_TOOL_DESCRIPTION_MAX_CHARS).refine(
    (value) => value.trim() !== '',
    'must not be blank',
  ),
  input_schema: z.record(z.string(), z.unknown()),
  request: z.strictObject({
    method: z.enum(METHODS),
    url: text(HTTP_TOOL_URL_MAX_CHARS),
    query: Templates.default({}),
    headers: Templates.default({}),
    body: z.unknown().optional(),
    body_type: z.enum(['json', 'form', 'text']).optional(),
  }),
  effect: z.enum(EFFECTS).optional(),
  approval: Approval.optional(),
  group: text(HTTP_TOOL_GROUP_MAX_CHARS).min(1).nullable().default(null),
  timeout_s: z.number().min(1).max(HTTP_TOOL_TIMEOUT_MAX_S).default(HTTP_TOOL_TIMEOUT_DEFAULT_S),
  response: z
    .strictObject({
      max_chars: z.int().min(100).max(HTTP_TOOL_ANSWER_MAX_CHARS).nullable().default(null),
      pick: limitedList(Pointer).default([]),
    })
    .prefault({}),
  answer: z.literal('202 + Location').optional(),
  request_secrets: limitedList(
    z.string().regex(SECRET_NAME, 'must be a name of letters, digits, _ and -'),
  ).default([]),
})

/**
 * Validates a definition and fills in its defaults. The error is `invalid_tool`, with `errors` that name each field by
 * its path. The caller checks that no built-in tool has the name. A parsed definition can be parsed again.
 */
export function parseDefinition(json: unknown, terms: DefinitionRules = {}): Result<HttpToolDefinition> {
  const { input_schema, ...others } = isObject(json) ? json : { input_schema: null, json }
  for (const [path, part, max] of [
    ['input_schema', input_schema, TOOL_SCHEMA_MAX_BYTES],
    ['', others, HTTP_TOOL_MAX_BYTES],
  ] as const) {
    const size = utf8(JSON.stringify(part) ?? '').length
    const what = path === '' ? 'has, without its schema,' : 'has'
    if (size > max) return invalidTool([{ path, message: `${what} ${size} bytes; the limit is ${max}` }])
  }
  const parsed = Definition.safeParse(json)
  if (!parsed.success) return invalidTool(fieldErrors(parsed.error.issues))
  const { request, effect = effectOf(parsed.data.request.method), answer, ...fields } = parsed.data
  const definition: HttpToolDefinition = {
    ...fields,
    input_schema: { ...fields.input_schema, type: 'object' },
    request: {
      ...request,
      body: request.body ?? null,
      body_type:
        request.body_type ??
        (typeof request.body === 'string' && !isSinglePlaceholder(request.body) ? 'text' : 'json'),
    },
    effect,
    approval: approvalOf(fields.approval, effect),
    ...(answer === undefined ? {} : { answer }),
  }
  const errors = [
    ...schemaErrors(fields.input_schema),
    ...requestErrors(definition, terms.secretsInUrl ?? false),
  ]
  return errors.length > 0 ? invalidTool(errors) : ok(definition)
}

function isSinglePlaceholder(body: string): boolean {
  return /^\{\{[^{}]*\}\}$/.test(body)
}

function invalidTool(errors: readonly FieldError[]): Result<never> {
  const shown = errors.slice(0, FIELD_ERRORS_MAX)
  const [first] = shown
  const detail = first
    ? `${first.path === '' ? 'The definition' : first.path} ${first.message}.`
    : 'The definition is not valid.'
  const moreNote = errors.length > 1 ? ` See errors for ${errors.length - 1} more.` : ''
  return fail('invalid_tool', detail + moreNote, { errors: shown })
}

/** The default effect of a request with this method. */
function effectOf(method: Method): Effect {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'once'
}

function approvalOf(rule: z.infer<typeof Approval> | undefined, effect: Effect): ApprovalRule {
  if (rule === undefined) return effect === 'read' ? NEVER_ASK : { ask: 'always' }
  const { ask, when, free, by } = rule
  return { ask, ...(when ? { when } : {}), ...(free ? { free } : {}), ...(by ? { by } : {}) }
}

/** The spec that the model receives. */
export function specOf({ name, description, input_schema }: HttpToolDefinition): ToolSpec {
  return { name, description, input_schema }
}

/** The digest of spec and effect, which a thread stores. A call runs only if this digest has not changed. */
export function interfaceDigest(definition: HttpToolDefinition): Promise<string> {
  return sha256Hex(canonicalJson({ spec: specOf(definition), effect: definition.effect }))
}

/** The digest of everything that decides what a call does, except the input. An approval is bound to this digest. */
export function definitionDigest(definition: HttpToolDefinition): Promise<string> {
  return sha256Hex(canonicalJson(definition))
}
