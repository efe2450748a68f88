// The Idempotency-Key header: a retry finds the result of the first request.

import { fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_KEY_MAX_CHARS } from './limits.ts'
import type { HttpContext } from '../route/route.ts'

/** Null if it is absent. Failure: `invalid_request`. */
export function idempotencyKey(c: HttpContext): Result<string | null> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return ok(null)
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX_CHARS || !/^[\x21-\x7e]+$/.test(key))
    return fail(
      'invalid_request',
      `Idempotency-Key accepts 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} visible ASCII characters, no spaces.`,
      {
        errors: [{ path: 'Idempotency-Key', message: 'must be visible ASCII without spaces' }],
      },
    )
  return ok(key)
}
