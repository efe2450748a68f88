// Creates, checks and decodes secrets of Standard Webhooks. An error never contains a secret.

import { base64, fromBase64 } from '../lib/bytes.ts'
import { randomBytes } from '../lib/ids.ts'
import { NEW_WEBHOOK_SECRET_BYTES, WEBHOOK_SECRET_MAX_BYTES, WEBHOOK_SECRET_MIN_BYTES } from './limits.ts'

const PREFIX = 'whsec_'

export function newSecret(): string {
  return PREFIX + base64(randomBytes(NEW_WEBHOOK_SECRET_BYTES))
}

/** The key's bytes, or null if the text is not a usable secret. */
export function secretKey(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith(PREFIX)) return null
  const bytes = fromBase64(secret.slice(PREFIX.length))
  if (!bytes || bytes.length < WEBHOOK_SECRET_MIN_BYTES || bytes.length > WEBHOOK_SECRET_MAX_BYTES)
    return null
  return bytes
}

/** Why a text cannot be a hook's secret, with the fix; null if it can. */
export function checkSecret(secret: string): string | null {
  if (secretKey(secret)) return null
  return (
    `is not a Standard Webhooks secret: send "${PREFIX}" followed by the padded base64 of ` +
    `${WEBHOOK_SECRET_MIN_BYTES} to ${WEBHOOK_SECRET_MAX_BYTES} bytes, or leave it out to have one created`
  )
}
