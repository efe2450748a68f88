// IDs that only this Worker can create: random characters, followed by a MAC with one of its secrets. A
// guessed ID can be rejected without calling any object. An ID grants no access: using it requires a separate
// secret.

import { equalInConstantTime } from './bytes.ts'
import { base32Token, randomToken } from './ids.ts'
import { macOf } from './mac.ts'

/** The kind of thing that an ID identifies. An ID of a key is never valid for a hook. */
export type SignedKind = 'key' | 'hook'

/** Number of base32 characters with 5 bits each: 60 bits cannot be guessed over a network. */
const MAC_CHARS = 12

async function shortMac(
  secret: string,
  kind: SignedKind,
  workspace: string,
  randomPart: string,
): Promise<string> {
  const mac = await macOf(secret, [kind, workspace, randomPart])
  return base32Token(mac.subarray(0, MAC_CHARS))
}

/** Returns `randomChars` base32 characters followed by their MAC, for this kind in this workspace. */
export async function newSignedPart(
  secret: string,
  kind: SignedKind,
  workspace: string,
  randomChars: number,
): Promise<string> {
  const randomPart = randomToken(randomChars)
  return randomPart + (await shortMac(secret, kind, workspace, randomPart))
}

/**
 * Whether `part` was created for this kind and workspace with one of `secrets`. There are two during
 * rotation.
 */
export async function isSignedPart(
  secrets: readonly string[],
  kind: SignedKind,
  workspace: string,
  signedPart: string,
): Promise<boolean> {
  const [randomPart, mac] = [signedPart.slice(0, -MAC_CHARS), signedPart.slice(-MAC_CHARS)]
  for (const secret of secrets)
    if (equalInConstantTime(await shortMac(secret, kind, workspace, randomPart), mac)) return true
  return false
}
