// The header Idempotency-Key: a retry of the same request finds what the first one made.

import { fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_KEY_MAX_CHARS } from './limits.ts'
import type { HttpContext } from '../route/route.ts'

/** Null: there is none. Failure `invalid_request`. */
export function idempotencyKey(c: HttpContext): Result<string | null> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return ok(null)
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX_CHARS || !/^[\x21-\x7e]+$/.test(key))
    return fail(
      'invalid_request',
      `Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} visible ASCII characters, no spaces.`,
      {
        errors: [{ path: 'Idempotency-Key', message: 'must be visible ASCII without spaces' }],
      },
    )
  return ok(key)
}
