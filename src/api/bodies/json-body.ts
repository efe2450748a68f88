// Reads JSON bodies and validates their type, encoding, depth, keys and schema. Errors name the field.

import * as z from 'zod'
import { fromUtf8, sha256Hex } from '../../lib/bytes.ts'
import { jsonDepth } from '../../lib/json-depth.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { REQUEST_BODY_MAX_BYTES } from './limits.ts'
import { readBytes } from './body.ts'
import { fieldErrors, type FieldError } from '../../lib/field-errors.ts'

export interface JsonBody<T> {
  readonly data: T
  /** The SHA-256 of the raw bytes, which identifies a repeated request with the same idempotency key. */
  readonly digest: string
}

/**
 * Reads a JSON body that matches the schema. Strict schemas refuse unknown fields. Failures: `unsupported_media_type`, `too_large`,
 * `too_slow`, `overloaded`, `bad_json`, and `invalid_request` with `errors`.
 */
export async function readJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number = REQUEST_BODY_MAX_BYTES,
  reportProgress?: () => boolean,
): Promise<Result<JsonBody<T>>> {
  const headers = refusalOf(request.headers)
  if (headers !== null) return fail('unsupported_media_type', headers)
  const bytes = await readBytes(request, maxBytes, reportProgress)
  if (!bytes.ok) return bytes
  const json = parse(bytes.value)
  if (!json.ok) return json
  const data = checkFields(json.value, schema)
  return data.ok ? ok({ data: data.value, digest: await sha256Hex(bytes.value) }) : data
}

/** The value with the schema's defaults, or `invalid_request` with its `errors`. */
export function checkFields<T>(value: unknown, schema: z.ZodType<T>): Result<T> {
  const parsed = schema.safeParse(value)
  return parsed.success ? ok(parsed.data) : invalidRequest(fieldErrors(parsed.error.issues))
}

const EmptyBody = z.strictObject({})

/** Reads a body that must be absent or `{}`. Fails as `readJson` does. */
export async function readEmpty(request: Request): Promise<Result<unknown>> {
  const bytes = await readBytes(request, REQUEST_BODY_MAX_BYTES)
  if (!bytes.ok || bytes.value.length === 0) return bytes
  const { url, method, headers } = request
  return readJson(new Request(url, { method, headers, body: bytes.value }), EmptyBody)
}

/** `invalid_request` with these errors, and all of them in its text. */
export function invalidRequest(errors: readonly FieldError[]): Result<never> {
  const problems = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return fail('invalid_request', `The request is not valid. ${problems.join('; ')}.`, { errors })
}

function refusalOf(headers: Headers): string | null {
  const [type = '', ...parameters] = (headers.get('Content-Type') ?? '').split(';')
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => /^charset=/i.test(parameter))
  const isJson = type.trim().toLowerCase() === 'application/json'
  if (!isJson || (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)))
    return 'Send JSON encoded in UTF-8, with the header Content-Type: application/json.'
  return encodingRefusal(headers)
}

/** The error message for a compressed body, or null if the body is not compressed. */
export function encodingRefusal(headers: Headers): string | null {
  const encoding = headers.get('Content-Encoding')
  return encoding === null || encoding.toLowerCase() === 'identity'
    ? null
    : 'Compressed bodies are not accepted. Send the body uncompressed, without a Content-Encoding header.'
}

function parse(bytes: Uint8Array): Result<unknown> {
  const text = fromUtf8(bytes)
  if (text === null) return fail('bad_json', 'The body is not valid UTF-8. Send JSON encoded in UTF-8.')
  if (jsonDepth(text) > JSON_MAX_DEPTH)
    return fail(
      'bad_json',
      `The body is nested more than ${JSON_MAX_DEPTH} levels deep. Use fewer nested objects and arrays.`,
    )
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be parsed'
    // The parser quotes the text where it stopped, which may be a secret.
    return fail('bad_json', `The body is not valid JSON: ${reason.replace(/, (?:\.\.\.)?"[\s\S]*$/, '')}.`)
  }
  // Only escapes or a literal `__proto__` can cause these errors, so other bodies skip the check.
  const fieldError = /__proto__|\\u/i.test(text) ? findInvalidText(json, []) : null
  return fieldError === null ? ok(json) : invalidRequest([fieldError])
}

/** Finds malformed Unicode and the key `__proto__`, both of which would otherwise be lost without an error. */
function findInvalidText(value: unknown, path: readonly string[]): FieldError | null {
  const malformedError = { path: path.join('.').toWellFormed(), message: 'must be well-formed Unicode' }
  if (typeof value === 'string') return value.isWellFormed() ? null : malformedError
  if (typeof value !== 'object' || value === null) return null
  for (const [key, child] of Object.entries(value)) {
    const childPath = [...path, key]
    if (key === '__proto__') return { path: childPath.join('.'), message: 'is not a field of this request' }
    const fieldError = key.isWellFormed() ? findInvalidText(child, childPath) : malformedError
    if (fieldError) return fieldError
  }
  return null
}
