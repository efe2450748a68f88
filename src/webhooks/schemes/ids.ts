// Reads the ID that a sender gave a delivery. An ID that is too long or has other characters is ignored.

import { WEBHOOK_ID_MAX_CHARS } from './limits.ts'
import { textAtPath } from './payload.ts'
import { singleHeader, type DeliveryHeaders, type Verified } from './scheme.ts'

const ID = new RegExp(`^[\\x21-\\x7E]{1,${WEBHOOK_ID_MAX_CHARS}}$`)

/** An ID in a header that is not signed. */
export function plainId(headers: DeliveryHeaders, name: string): Verified['id'] {
  const header = singleHeader(headers, name)
  return header.ok && ID.test(header.value) ? { value: header.value, signed: false } : null
}

/** An ID in the signed body. */
export function signedId(payload: unknown, path: readonly string[]): Verified['id'] {
  const value = textAtPath(payload, path)
  return ID.test(value) ? { value, signed: true } : null
}
