// Opaque ids: a prefix for the kind, then random or derived lower-case base32. The only user of randomness.

import { utf8 } from './bytes.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Lower-case base32 of the low five bits of each byte. */
export function base32(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += ALPHABET[byte & 31]
  return out
}

export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** `length` characters carry 5 bits each: 24 → 120 bits. */
export function randomToken(length: number): string {
  return base32(randomBytes(length))
}

/** A number from 0 up to, but not including, 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

export function newId(prefix: 'th' | 'run' | 'msg' | 'hk' | 'dl' | 'req' | 'obj'): string {
  return `${prefix}_${randomToken(24)}`
}

/** The same parts always give the same id. NUL cannot occur in a part, so different lists cannot collide. */
export async function derivedId(prefix: 'th' | 'run' | 'dl', parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(parts.join('\0')))
  return `${prefix}_${base32(new Uint8Array(digest).subarray(0, 24))}`
}
