// ?limit= and ?cursor= of every list.

import { fail, ok, type Result } from '../lib/result.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import type { HttpContext } from './route.ts'

export interface PageAsk {
  readonly cursor: string | null
  readonly limit: number
}

export function pageOf(c: HttpContext): Result<PageAsk> {
  const limit = c.req.query('limit')
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit))
    return fail('invalid_request', `limit takes a whole number from 1 to ${PAGE_MAX}.`, {
      errors: [{ path: 'limit', message: `must be a whole number from 1 to ${PAGE_MAX}` }],
    })
  return ok({
    cursor: c.req.query('cursor') || null,
    limit: Math.min(limit === undefined ? PAGE_DEFAULT : Number(limit), PAGE_MAX),
  })
}
