// HTTP versions: the ETag of a response, and the If-Match of a change.

import { isSha256 } from '../../lib/bytes.ts'
import { ok, type Result } from '../../lib/result.ts'
import { invalidField } from '../problems/field-errors.ts'
import type { HttpContext } from '../route/route.ts'

/** A digest or version number, ready for `If-Match`. */
export function etag(tag: string | number): Record<string, string> {
  return { ETag: `"${tag}"` }
}

/**
 * `If-Match: "<n>"`: only that version. `*` or no header: undefined, any version, as one always exists. `what`: the kind of
 * version; `shownBy`: the route that shows its number.
 */
export function versionExpected(c: HttpContext, what: string, shownBy: string): Result<number | undefined> {
  const text = c.req.header('If-Match')?.trim()
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(text ?? '')?.[1]
  const alone = c.req.header('If-None-Match') === undefined
  if (alone && (text === undefined || text === '*')) return ok(undefined)
  if (alone && version !== undefined) return ok(Number(version))
  const detail = `If-Match accepts the ETag of ${shownBy} here, the number of one ${what}, and no other condition.`
  return invalidField('If-Match', `must be one ${what}`, detail)
}

/**
 * The expected state of a file before a change: sha-256 or `*` (`If-Match`); null: no file (`If-None-Match: *`); undefined: any.
 * Failure: `invalid_request`.
 */
export function contentExpected(c: HttpContext): Result<string | null | undefined> {
  const match = c.req.header('If-Match')?.trim()
  const noneMatch = c.req.header('If-None-Match')?.trim()
  if (match === undefined && noneMatch === undefined) return ok(undefined)
  if (match === undefined && noneMatch === '*') return ok(null)
  const tag = /^(?:W\/)?"([^"]*)"$/.exec(match ?? '')?.[1]
  if (noneMatch === undefined && match === '*') return ok(match)
  if (noneMatch === undefined && tag !== undefined && isSha256(tag)) return ok(tag)
  const path = match === undefined ? 'If-None-Match' : 'If-Match'
  const detail =
    'If-Match accepts one ETag of the file, or *; If-None-Match accepts *, for a new file. Send one of them.'
  return invalidField(path, 'must be the ETag of the file, or *', detail)
}
