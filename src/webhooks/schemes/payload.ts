// Parses a webhook's body as JSON, and reads values from it. Reads only own properties, never a prototype's.

import { jsonDepth } from '../../lib/json-depth.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'

/**
 * Parses a body that must be JSON. A byte order mark is skipped. The error says what is wrong with the body.
 */
export function parsePayload(text: string): Result<unknown, string> {
  // The depth is checked before parsing, because JSON.stringify would overflow the stack on a deeply nested
  // value.
  if (jsonDepth(text) > JSON_MAX_DEPTH) return err(`the body nests deeper than ${JSON_MAX_DEPTH} levels`)
  try {
    return ok(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return err('the body is not JSON')
  }
}

/**
 * The value at a path as text. Strings are returned unchanged, objects and lists as JSON, missing values and
 * null as ''.
 */
export function textAtPath(payload: unknown, path: readonly string[]): string {
  let value = payload
  for (const step of path) value = childValue(value, step)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function childValue(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return Object.getOwnPropertyDescriptor(value, step)?.value
}
