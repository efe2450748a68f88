// A JSON body, checked before it is used: its type, encoding, depth, keys and shape. What does not fit is named.

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
  /** sha-256 of the raw bytes: tells the same request from another with the same key. */
  readonly digest: string
}

/**
 * A JSON body that fits the schema; unknown fields are refused by the (strict) schemas.
 * Failures: `unsupported_media_type`, `too_large`, `too_slow`, `overloaded`, `bad_json`, `invalid_request` (with `errors`).
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

/** A body that says nothing: none, or `{}`. Failures as of `readJson`. */
export async function readEmpty(request: Request): Promise<Result<unknown>> {
  const bytes = await readBytes(request, REQUEST_BODY_MAX_BYTES)
  if (!bytes.ok || bytes.value.length === 0) return bytes
  const { url, method, headers } = request
  return readJson(new Request(url, { method, headers, body: bytes.value }), Nothing)
}

function invalid(errors: readonly FieldError[]): Result<never> {
  const said = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return fail('invalid_request', `The request does not fit. ${said.join('; ')}.`, { errors })
}

function refusalOf(headers: Headers): string | null {
  const [type = '', ...parameters] = (headers.get('Content-Type') ?? '').split(';')
  const charset = parameters.map((one) => one.trim()).find((one) => /^charset=/i.test(one))
  const isJson = type.trim().toLowerCase() === 'application/json'
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)))
    return 'Send JSON in UTF-8, with Content-Type: application/json.'
  return encodingRefusal(headers)
}

/** Words for a body that would have to be unpacked first; null: it comes as it is. */
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
    // The parser quotes the place where it stopped; what stands there may be a secret.
    return fail('bad_json', `The body is not JSON: ${why.replace(/, (?:\.\.\.)?"[\s\S]*$/, '')}.`)
  }
  // Both can be written with escapes only, or by name; other bodies need no walk.
  const strange = /__proto__|\\u/i.test(text) ? strangeness(json, []) : null
  return strange === null ? ok(json) : invalid([strange])
}

/** Text that is no text, and the one key that objects do not keep: neither must get lost silently. */
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
