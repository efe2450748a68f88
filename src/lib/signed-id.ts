// Ids that prove that we made them: random characters, then a MAC over them under a secret of the Worker. A guess is told
// from an id without asking any object. It grants nothing: what an id names still asks for a secret of its own.

import { equalInConstantTime, utf8 } from './bytes.ts'
import { base32, randomToken } from './ids.ts'

/** What an id names: one made for a key never passes for a hook's. */
export type SignedKind = 'key' | 'hook'

/** Base32 characters, 5 bits each: guessing 60 bits over a network takes for ever. */
const MAC_CHARS = 12

async function macOf(secret: string, kind: SignedKind, workspace: string, random: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  // NUL cannot occur in a part, so two ids never sign the same text.
  const mac = await crypto.subtle.sign('HMAC', key, utf8([kind, workspace, random].join('\0')))
  return base32(new Uint8Array(mac).subarray(0, MAC_CHARS))
}

/** `randomChars` of base32 and their MAC behind them, for this kind of thing in this workspace. */
export async function newSignedPart(
  secret: string,
  kind: SignedKind,
  workspace: string,
  randomChars: number,
): Promise<string> {
  const random = randomToken(randomChars)
  return random + (await macOf(secret, kind, workspace, random))
}

/** True when `part` was made for this kind and workspace under one of `secrets`. Two: while the secret is changed. */
export async function isSignedPart(
  secrets: readonly string[],
  kind: SignedKind,
  workspace: string,
  part: string,
): Promise<boolean> {
  const [random, mac] = [part.slice(0, -MAC_CHARS), part.slice(-MAC_CHARS)]
  for (const secret of secrets)
    if (equalInConstantTime(await macOf(secret, kind, workspace, random), mac)) return true
  return false
}
