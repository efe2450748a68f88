// Reads the Idempotency-Key header, by which a retry finds the result of the first request.

import { fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_KEY_MAX_CHARS } from './limits.ts'
import type { HttpContext } from '../route/route.ts'

/** The key, or null if the header is absent. Failure: `invalid_request`. */
export function idempotencyKey(c: HttpContext): Result<string | null> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return ok(null)
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX_CHARS || !/^[\x21-\x7e]+$/.test(key))
    return fail(
      'invalid_request',
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} visible ASCII characters without spaces.`,
      {
        errors: [{ path: 'Idempotency-Key', message: 'must be visible ASCII without spaces' }],
      },
    )
  return ok(key)
}
