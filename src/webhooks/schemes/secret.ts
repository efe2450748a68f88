// Creates, checks and decodes the secrets of hooks. An error never contains a secret.

import { base64, fromBase64 } from '../../lib/bytes.ts'
import { randomBytes } from '../../lib/ids.ts'
import {
  NEW_WEBHOOK_SECRET_BYTES,
  TEXT_SECRET_MAX_CHARS,
  TEXT_SECRET_MIN_CHARS,
  WEBHOOK_SECRET_MAX_BYTES,
  WEBHOOK_SECRET_MIN_BYTES,
} from './limits.ts'
import type { SchemeName } from './scheme.ts'

const PREFIX = 'whsec_'

/** A new secret that fits the scheme. */
export function newSecret(scheme: SchemeName = 'standard'): string {
  const text = base64(randomBytes(NEW_WEBHOOK_SECRET_BYTES))
  if (scheme === 'standard' || scheme === 'gitlab') return PREFIX + text
  // Without characters that a header, a URL or a user's password could not contain.
  const token = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return scheme === 'basic' ? `satchel:${token}` : token
}

/** The key's bytes, or null if the text is not a usable secret. */
export function secretKey(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith(PREFIX)) return null
  const bytes = fromBase64(secret.slice(PREFIX.length))
  if (!bytes || bytes.length < WEBHOOK_SECRET_MIN_BYTES || bytes.length > WEBHOOK_SECRET_MAX_BYTES)
    return null
  return bytes
}

const TEXT = new RegExp(`^[\\x20-\\x7E]{${TEXT_SECRET_MIN_CHARS},${TEXT_SECRET_MAX_CHARS}}$`)

/** Why a text cannot be the secret of a hook with this scheme, with the fix; null if it can. */
export function checkSecret(secret: string, scheme: SchemeName = 'standard'): string | null {
  if (scheme === 'standard' || (scheme === 'gitlab' && secret.startsWith(PREFIX)))
    return secretKey(secret)
      ? null
      : `is not a Standard Webhooks secret: send "${PREFIX}" followed by the padded base64 of ` +
          `${WEBHOOK_SECRET_MIN_BYTES} to ${WEBHOOK_SECRET_MAX_BYTES} bytes, or leave it out to have one created`
  if (!TEXT.test(secret))
    return `must have ${TEXT_SECRET_MIN_CHARS} to ${TEXT_SECRET_MAX_CHARS} visible ASCII characters; leave it out to have one created`
  if (scheme === 'basic' && !/^[^:]+:./.test(secret))
    return 'must be a user and a password as "user:password"'
  return null
}
