// PBKDF2 (RFC 8018): computed by the platform if that is fast, otherwise in pieces between which the isolate yields.
// The platform also refuses more than 100,000 iterations.

import { pbkdf2Sync } from 'node:crypto'

import { hmac } from '@noble/hashes/hmac.js'
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'

/** The platform takes up to 25 ms for this many iterations. */
const PLATFORM_ROUNDS = 20_000
/** Maximum length of a result that the platform accepts. */
const PLATFORM_BYTES = 1_024
/** Number of iterations between two pauses; they take about 2 ms. */
const ROUNDS_PER_PAUSE = 1_000
const STEPS_PER_ROUND = 1_024

const PLATFORM = { md5, sha1, sha224, sha256, sha384, sha512 } as const
const HASHES = {
  ...PLATFORM,
  ripemd160,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
} as const

export interface Derivation {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly rounds: number
  /** Length of the result in bytes. */
  readonly length: number
  readonly digest: string
}

/** The derived key; null if there is no such digest. `pause` is called with the number of steps since the last pause. */
export async function pbkdf2(
  { password, salt, rounds, length, digest }: Derivation,
  pause: (steps: number) => Promise<void>,
): Promise<Uint8Array | null> {
  const name = digest.toLowerCase().replace(/^sha-(?=\d)/, 'sha')
  // The cast is safe: `name` is a key of HASHES, as just checked.
  const hash = Object.hasOwn(HASHES, name) ? HASHES[name as keyof typeof HASHES] : undefined
  if (!hash) return null
  const blocks = Math.ceil(length / hash.outputLen)
  if (length === 0) return new Uint8Array(0)
  if (length <= PLATFORM_BYTES && blocks * rounds <= PLATFORM_ROUNDS && Object.hasOwn(PLATFORM, name))
    return new Uint8Array(pbkdf2Sync(password, salt, rounds, length, name))
  const output = new Uint8Array(blocks * hash.outputLen)
  const keyed = hmac.create(hash, password)
  const used = keyed.clone()
  const last = new Uint8Array(hash.outputLen)
  for (let block = 0; block < blocks; block++) {
    const sum = output.subarray(block * hash.outputLen, (block + 1) * hash.outputLen)
    const number = new Uint8Array(4)
    new DataView(number.buffer).setUint32(0, block + 1)
    keyed._cloneInto(used).update(salt).update(number).digestInto(last)
    sum.set(last)
    for (let round = 1; round < rounds; round++) {
      keyed._cloneInto(used).update(last).digestInto(last)
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) ^ (last[at] ?? 0)
      if (round % ROUNDS_PER_PAUSE === 0) await pause(ROUNDS_PER_PAUSE * STEPS_PER_ROUND)
    }
  }
  return output.subarray(0, length)
}
