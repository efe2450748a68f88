// The error for one field, parameter or header that no schema checks. Never quotes its value.

import { fail, type Result } from '../../lib/result.ts'

/** `detail`: the complete sentence for people. */
export function invalidField(path: string, message: string, detail = `${path} ${message}.`): Result<never> {
  return fail('invalid_request', detail, { errors: [{ path, message }] })
}
