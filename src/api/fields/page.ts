// Reads ?limit= and ?cursor=, and cuts pages out of complete lists.

import { BAD_CURSOR, cutPage, decodeCursor } from '../../lib/cursor.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { PAGE_SIZE_MAX } from '../../limits/requests.ts'
import { PAGE_SIZE_DEFAULT } from './limits.ts'
import { invalidField } from '../problems/field-errors.ts'
import type { HttpContext } from '../route/route.ts'

export interface PageQuery {
  readonly cursor: string | null
  readonly limit: number
}

/** `limitMax`: the maximum of `?limit=`. */
export function pageQuery(c: HttpContext, limitMax = PAGE_SIZE_MAX): Result<PageQuery> {
  const limit = c.req.query('limit') ?? String(PAGE_SIZE_DEFAULT)
  if (!/^[1-9]\d{0,8}$/.test(limit) || Number(limit) > limitMax)
    return invalidField('limit', `must be a whole number from 1 to ${limitMax}`)
  return ok({ cursor: c.req.query('cursor') ?? null, limit: Number(limit) })
}

/** Like pageQuery, for lists with numeric cursors. `before` is null for the first page. */
export function numberedPageQuery(
  c: HttpContext,
): Result<{ readonly before: number | null; readonly limit: number }> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const { cursor, limit } = page.value
  const before = cursor === null ? null : decodeCursor(cursor, ['number'])
  return cursor !== null && !before ? err(BAD_CURSOR) : ok({ before: before?.[0] ?? null, limit })
}

/**
 * One page of a list in memory, sorted by unique item keys. A cursor is the key of the last item on the page,
 * so that changes between two requests do not shift items.
 */
export function pageFrom<T>(
  { cursor, limit }: PageQuery,
  items: readonly T[],
  keyOf: (item: T) => string,
  order: 'ascending' | 'descending' = 'ascending',
): Result<{ readonly data: readonly T[]; readonly next_cursor: string | null }> {
  const after = cursor === null ? null : decodeCursor(cursor, ['string'])
  if (cursor !== null && !after) return err(BAD_CURSOR)
  const direction = order === 'ascending' ? 1 : -1
  const compare = (a: string, b: string): number => (a < b ? -direction : a > b ? direction : 0)
  const remaining = items
    .filter((item) => after === null || compare(after[0], keyOf(item)) < 0)
    .toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  return ok(cutPage(remaining, limit, keyOf))
}
