// A JSON body, checked before use: type, encoding, depth, keys and shape. Errors name the field.

import * as z from 'zod'
import { fromUtf8, sha256Hex } from '../../lib/bytes.ts'
import { jsonDepth } from '../../lib/json-depth.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { REQUEST_BODY_MAX_BYTES } from './limits.ts'
import { readBytes } from './body.ts'
import { fieldErrors, type FieldError } from '../../lib/field-errors.ts'

export interface JsonBody<T> {
  readonly value: T
  /** sha-256 of the raw bytes: recognizes a repeated request under the same key. */
  readonly digest: string
}

/**
 * A JSON body that fits the schema; (strict) schemas refuse unknown fields. Failures: `unsupported_media_type`, `too_large`,
 * `too_slow`, `overloaded`, `bad_json`, `invalid_request` (with `errors`).
 */
export async function readJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number = REQUEST_BODY_MAX_BYTES,
  alive?: () => boolean,
): Promise<Result<JsonBody<T>>> {
  const headers = refusalOf(request.headers)
  if (headers !== null) return fail('unsupported_media_type', headers)
  const bytes = await readBytes(request, maxBytes, alive)
  if (!bytes.ok) return bytes
  const json = parse(bytes.value)
  if (!json.ok) return json
  const parsed = schema.safeParse(json.value)
  if (!parsed.success) return invalid(fieldErrors(parsed.error.issues))
  return ok({ value: parsed.data, digest: await sha256Hex(bytes.value) })
}

const Nothing = z.strictObject({})

/** An empty body: none, or `{}`. Fails as `readJson` does. */
export async function readEmpty(request: Request): Promise<Result<unknown>> {
  const bytes = await readBytes(request, REQUEST_BODY_MAX_BYTES)
  if (!bytes.ok || bytes.value.length === 0) return bytes
  const { url, method, headers } = request
  return readJson(new Request(url, { method, headers, body: bytes.value }), Nothing)
}

function invalid(errors: readonly FieldError[]): Result<never> {
  const problems = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return fail('invalid_request', `The request is not valid. ${problems.join('; ')}.`, { errors })
}

function refusalOf(headers: Headers): string | null {
  const [type = '', ...parameters] = (headers.get('Content-Type') ?? '').split(';')
  const charset = parameters.map((one) => one.trim()).find((one) => /^charset=/i.test(one))
  const isJson = type.trim().toLowerCase() === 'application/json'
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)))
    return 'Send JSON in UTF-8, with Content-Type: application/json.'
  return encodingRefusal(headers)
}

/** The refusal of a compressed body; null if it is not compressed. */
export function encodingRefusal(headers: Headers): string | null {
  const encoding = headers.get('Content-Encoding')
  return encoding === null || encoding.toLowerCase() === 'identity'
    ? null
    : 'Send the body as it is, without a Content-Encoding.'
}

function parse(bytes: Uint8Array): Result<unknown> {
  const text = fromUtf8(bytes)
  if (text === null) return fail('bad_json', 'The body is not UTF-8. Send JSON in UTF-8.')
  if (jsonDepth(text) > JSON_MAX_DEPTH)
    return fail('bad_json', `The body is nested deeper than ${JSON_MAX_DEPTH} levels. Flatten it.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    // The parser quotes the text where it stopped, which may be a secret.
    return fail('bad_json', `The body is not JSON: ${why.replace(/, (?:\.\.\.)?"[\s\S]*$/, '')}.`)
  }
  // Only escapes or a literal `__proto__` can cause these faults, so other bodies skip the check.
  const strange = /__proto__|\\u/i.test(text) ? strangeness(json, []) : null
  return strange === null ? ok(json) : invalid([strange])
}

/** Malformed Unicode, and the one key that objects drop: neither may get lost silently. */
function strangeness(value: unknown, path: readonly string[]): FieldError | null {
  const broken = { path: path.join('.').toWellFormed(), message: 'must be well-formed Unicode' }
  if (typeof value === 'string') return value.isWellFormed() ? null : broken
  if (typeof value !== 'object' || value === null) return null
  for (const [key, one] of Object.entries(value)) {
    const at = [...path, key]
    if (key === '__proto__') return { path: at.join('.'), message: 'is not a field of this request' }
    const found = key.isWellFormed() ? strangeness(one, at) : broken
    if (found) return found
  }
  return null
}
