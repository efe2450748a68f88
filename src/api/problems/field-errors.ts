// Creates the error for a field, parameter or header that no schema checks. Never quotes its value.

import { fail, type Result } from '../../lib/result.ts'

/** `message` is a predicate such as "must not be blank"; `detail` is the complete sentence for people. */
export function invalidField(path: string, message: string, detail = `${path} ${message}.`): Result<never> {
  return fail('invalid_request', detail, { errors: [{ path, message }] })
}
