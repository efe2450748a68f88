// Reads the `accept` field of a publish: rules of the scan, each with a reason. The check decides which may be accepted.

import * as z from 'zod'
import { fail, ok, type Result } from '../../lib/result.ts'
import { ACCEPT_RULES_MAX, ACCEPT_REASON_MAX_CHARS } from './limits.ts'
import type { Acceptance } from '../../skills/check/accept.ts'
import { fieldErrors } from '../../lib/field-errors.ts'
import { shortText } from '../fields/fields.ts'

export const Accept = z
  .array(
    z.strictObject({
      rule: z.string(),
      reason: shortText(ACCEPT_REASON_MAX_CHARS).refine((text) => text.trim() !== '', 'must not be blank'),
    }),
  )
  .max(ACCEPT_RULES_MAX, `must have at most ${ACCEPT_RULES_MAX} rules`)

const Field = z.strictObject({ accept: Accept })

/** Parses the field from JSON text, for requests without a JSON body. `text` is null if the field is absent. */
export function parseAcceptField(text: string | null): Result<readonly Acceptance[]> {
  if (text === null) return ok([])
  const parsed = Field.safeParse({ accept: jsonOf(text) })
  if (parsed.success) return ok(parsed.data.accept)
  const errors = fieldErrors(parsed.error.issues)
  const detail = `Send accept as JSON: [{"rule": "…", "reason": "…"}]. ${errors[0]?.path} ${errors[0]?.message}.`
  return fail('invalid_request', detail, { errors })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
