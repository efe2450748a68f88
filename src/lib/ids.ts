// Opaque ids: a prefix for the kind, then random or derived lower-case base32.

import { utf8 } from './bytes.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** One lower-case base32 character per byte, of its low five bits: shorter than RFC 4648 and not reversible. */
export function base32(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += ALPHABET[byte & 31]
  return out
}

export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** A random token. Each character carries 5 bits, so 24 have 120. */
export function randomToken(length: number): string {
  return base32(randomBytes(length))
}

/** A random number from 0 up to, but not including, 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

export function newId(prefix: 'th' | 'run' | 'msg' | 'hk' | 'dl' | 'req' | 'obj'): string {
  return `${prefix}_${randomToken(24)}`
}

/** The same parts always give the same id. Parts must not contain NUL, so that different lists cannot collide. */
export async function derivedId(prefix: 'th' | 'run' | 'dl', parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(parts.join('\0')))
  return `${prefix}_${base32(new Uint8Array(digest).subarray(0, 24))}`
}
