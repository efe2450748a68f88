// Message authentication codes with this Worker's secrets.

import { utf8 } from './bytes.ts'

/** HMAC-SHA-256 of the parts. The first one names the purpose. No part contains NUL, so different parts never have the same code. */
export async function macOf(
  secret: string,
  parts: readonly [purpose: string, ...string[]],
): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(parts.join('\0'))))
}
