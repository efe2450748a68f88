// Schemas that several kinds of requests share.

import * as z from 'zod'
import { codePoints } from '../../lib/text.ts'
import { PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'
import { METADATA_PAIRS_MAX, ROLLBACK_VERSIONS_MAX } from './limits.ts'

/** Text of at most `max` code points. */
export function shortText(max: number): z.ZodString {
  return z.string().refine((text) => codePoints(text) <= max, `must have at most ${max} characters`)
}

/** A record of a few texts of at most `max` code points each. */
export function textRecord(max: number): z.ZodRecord<z.ZodString, z.ZodString> {
  return z
    .record(shortText(PAIR_KEY_MAX_CHARS).min(1), shortText(max))
    .refine(
      (record) => Object.keys(record).length <= METADATA_PAIRS_MAX,
      `must have at most ${METADATA_PAIRS_MAX} pairs`,
    )
}

/**
 * A change of an object with these fields: any of them, and at least one. The values are not checked: merge them with
 * the others and check the result, because a schema with defaults would reset what is absent.
 */
export function patchOf(fields: z.ZodObject): z.ZodRecord<z.ZodString, ReturnType<typeof z.json>> {
  return z.record(z.string(), z.json()).superRefine((patch, context) => {
    const keys = Object.keys(patch).filter((key) => !(key in fields.shape))
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, input: patch })
    else if (Object.keys(patch).length === 0) context.addIssue('must change at least one field')
  })
}

export const SHA256_HEX = /^[0-9a-f]{64}$/
export const Sha256 = z.string().regex(SHA256_HEX, 'must be a digest: 64 lower-case hex digits')

/** Set on the union and on each alternative, because the schema library reports the errors of the closest alternative. */
const ROLLBACK_TARGET_ERROR = 'must be a digest, or -1, -2 and so on'

export const Rollback = z.strictObject({
  /** A digest, or minus the number of live versions to go back. */
  to: z
    .union(
      [
        z.string().regex(SHA256_HEX, ROLLBACK_TARGET_ERROR),
        z
          .int(ROLLBACK_TARGET_ERROR)
          .min(-ROLLBACK_VERSIONS_MAX, ROLLBACK_TARGET_ERROR)
          .max(-1, ROLLBACK_TARGET_ERROR),
      ],
      { error: ROLLBACK_TARGET_ERROR },
    )
    .default(-1),
})
