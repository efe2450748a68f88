// Random values, and opaque IDs: a prefix for the kind, followed by random or derived lower-case base32.

import { utf8 } from './bytes.ts'

const CROCKFORD_BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns one lower-case base32 character per byte, from its low five bits. Unlike RFC 4648, this is not
 * reversible.
 */
export function base32Token(bytes: Uint8Array): string {
  let token = ''
  for (const byte of bytes) token += CROCKFORD_BASE32[byte & 31]
  return token
}

export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Returns a random token. Each character has 5 bits of randomness, so 24 characters have 120. */
export function randomToken(length: number): string {
  return base32Token(randomBytes(length))
}

/** Returns a random number in [0, 1). */
export function randomFraction(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

export function newId(
  prefix: 'th' | 'run' | 'msg' | 'hk' | 'dl' | 'ep' | 'evt' | 'sc' | 'oc' | 'req' | 'obj' | 'del',
): string {
  return `${prefix}_${randomToken(24)}`
}

/**
 * Derives an ID: the same parts always give the same ID. Parts must not contain NUL, so that different lists
 * cannot collide.
 */
export async function derivedId(prefix: 'th' | 'run' | 'dl', parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(parts.join('\0')))
  return `${prefix}_${base32Token(new Uint8Array(digest).subarray(0, 24))}`
}
