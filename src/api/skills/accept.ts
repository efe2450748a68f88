// The field `accept` of a publish: rules of the scan with a reason for each. Which may be accepted is the check's part.

import * as z from 'zod'
import { fail, ok, type Result } from '../../lib/result.ts'
import { ACCEPT_MAX, ACCEPT_REASON_MAX_CHARS } from './limits.ts'
import type { Acceptance } from '../../skills/check/accept.ts'
import { fieldErrors } from '../../lib/field-errors.ts'
import { shortText } from '../fields/fields.ts'

export const Accept = z
  .array(
    z.strictObject({
      rule: z.string(),
      reason: shortText(ACCEPT_REASON_MAX_CHARS).refine((text) => text.trim() !== '', 'must say why'),
    }),
  )
  .max(ACCEPT_MAX, `must have at most ${ACCEPT_MAX} rules`)

const Field = z.strictObject({ accept: Accept })

/** As JSON in a text, for requests whose body is something else; null: there is none. */
export function acceptIn(text: string | null): Result<readonly Acceptance[]> {
  if (text === null) return ok([])
  const read = Field.safeParse({ accept: jsonOf(text) })
  if (read.success) return ok(read.data.accept)
  const errors = fieldErrors(read.error.issues)
  const detail = `accept takes JSON: [{"rule": "…", "reason": "…"}]. ${errors[0]?.path} ${errors[0]?.message}.`
  return fail('invalid_request', detail, { errors })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
