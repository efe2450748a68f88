// Creates ETags for responses and reads the If-Match and If-None-Match conditions of changes.

import { isSha256 } from '../../lib/bytes.ts'
import { ok, type Result } from '../../lib/result.ts'
import { invalidField } from '../problems/field-errors.ts'
import type { HttpContext } from '../route/route.ts'

/** The ETag header for a digest or version number, which a client may send back as `If-Match`. */
export function etag(tag: string | number): Record<string, string> {
  return { ETag: `"${tag}"` }
}

/**
 * The version that `If-Match` requires, or undefined for any version, if the header is absent or `*`. The error message names
 * `versionKind` and `routeName`, the route that shows the version's number.
 */
export function expectedVersion(
  c: HttpContext,
  versionKind: string,
  routeName: string,
): Result<number | undefined> {
  const text = c.req.header('If-Match')?.trim()
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(text ?? '')?.[1]
  const isOnlyCondition = c.req.header('If-None-Match') === undefined
  if (isOnlyCondition && (text === undefined || text === '*')) return ok(undefined)
  if (isOnlyCondition && version !== undefined) return ok(Number(version))
  const detail = `Send the ETag of ${routeName} in If-Match: the number of one ${versionKind}, without any other condition.`
  return invalidField('If-Match', `must be one ${versionKind}`, detail)
}

/**
 * The state of a file that a change requires: a SHA-256 or `*` (from `If-Match`), null for no file (from `If-None-Match: *`), or
 * undefined for any state. Failure: `invalid_request`.
 */
export function expectedContent(c: HttpContext): Result<string | null | undefined> {
  const match = c.req.header('If-Match')?.trim()
  const noneMatch = c.req.header('If-None-Match')?.trim()
  if (match === undefined && noneMatch === undefined) return ok(undefined)
  if (match === undefined && noneMatch === '*') return ok(null)
  const tag = /^(?:W\/)?"([^"]*)"$/.exec(match ?? '')?.[1]
  if (noneMatch === undefined && match === '*') return ok(match)
  if (noneMatch === undefined && tag !== undefined && isSha256(tag)) return ok(tag)
  const path = match === undefined ? 'If-None-Match' : 'If-Match'
  const detail =
    'Send either If-Match with one ETag of the file or *, or If-None-Match: * to create a new file, but not both.'
  return invalidField(path, 'must be the ETag of the file, or *', detail)
}
