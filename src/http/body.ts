// Reads a request's body once, counting bytes; never trusts Content-Length. JSON is bounded in depth before it is used.

import type { z } from 'zod'
import { fromUtf8, sha256Hex } from '../lib/bytes.ts'
import { jsonDepth } from '../lib/json-depth.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { JSON_MAX_DEPTH, REQUEST_BODY_MAX_BYTES } from '../limits.ts'

/** The body's bytes, or `too_large` as soon as there are more than `maxBytes`. */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return fail('too_large', `The body has more than ${maxBytes} bytes, the most this route takes.`)
    }
    parts.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return ok(bytes)
}

export interface JsonBody<T> {
  readonly value: T
  /** sha-256 of the raw bytes: tells the same request from another with the same key. */
  readonly digest: string
}

/** A JSON body that fits the schema; unknown fields are refused by the (strict) schemas. */
export async function readJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number = REQUEST_BODY_MAX_BYTES,
): Promise<Result<JsonBody<T>>> {
  const type = request.headers.get('Content-Type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type) || /charset=(?!"?utf-8)/i.test(type))
    return fail('unsupported_media_type', 'Send JSON in UTF-8, with Content-Type: application/json.')
  const bytes = await readBytes(request, maxBytes)
  if (!bytes.ok) return bytes
  const text = fromUtf8(bytes.value)
  if (text === null) return fail('bad_json', 'The body is not UTF-8.')
  if (jsonDepth(text) > JSON_MAX_DEPTH)
    return fail('bad_json', `The body is nested deeper than ${JSON_MAX_DEPTH} levels.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return fail('bad_json', `The body is not JSON: ${why.slice(0, 200)}`)
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return ok({ value: parsed.data, digest: await sha256Hex(bytes.value) })
  const errors = parsed.error.issues.slice(0, 20).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...issue.path, key].join('.'),
          message: 'is not a field of this request',
        }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  )
  return fail(
    'invalid_request',
    `The request does not fit: ${errors.map((one) => `${one.path || 'body'} ${one.message}`).join('; ')}.`,
    { errors },
  )
}
