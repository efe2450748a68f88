// PBKDF2 (RFC 8018): computed by the platform if that is fast, otherwise in pieces between which the isolate yields.
// The platform also refuses more than 100,000 iterations.

import { pbkdf2Sync } from 'node:crypto'

import { hmac } from '@noble/hashes/hmac.js'
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'

import { inPieces, paidWork, type Payer } from '../../wasm/work.ts'
import { LIBRARY_PIECES } from './hashers.ts'

/** The platform takes up to 10 ms for this many iterations. */
const PLATFORM_ROUNDS = 8_000
/** Maximum length of a result that the platform accepts. */
const PLATFORM_BYTES = 1_024
/** Maximum length of password and salt for the platform, which reads the salt for each block of the result. */
const PLATFORM_INPUT_BYTES = 4_096
/** Steps charged for an iteration, which takes about 2 µs. An iteration of SHA-3 takes four times as long. */
const STEPS_PER_ROUND = 1_024

const PLATFORM = { md5, sha1, sha224, sha256, sha384, sha512 } as const
const SLOW = {
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
} as const
const HASHES = {
  ...PLATFORM,
  ...SLOW,
  ripemd160,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
} as const

export interface Derivation {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly rounds: number
  /** Length of the result in bytes. */
  readonly length: number
  readonly digest: string
}

/** The derived key; null if there is no such digest. Rejects if the guest must end. */
export async function pbkdf2(
  { password, salt, rounds, length, digest }: Derivation,
  payer: Payer,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const name = digest.toLowerCase().replace(/^sha-(?=\d)/, 'sha')
  // The cast is safe: `name` is a key of HASHES, as just checked.
  const hash = Object.hasOwn(HASHES, name) ? HASHES[name as keyof typeof HASHES] : undefined
  if (!hash) return null
  const blocks = Math.ceil(length / hash.outputLen)
  if (length === 0) return new Uint8Array(0)
  const pay = paidWork(payer, STEPS_PER_ROUND * (Object.hasOwn(SLOW, name) ? 4 : 1))
  if (
    length <= PLATFORM_BYTES &&
    blocks * rounds <= PLATFORM_ROUNDS &&
    password.length + salt.length <= PLATFORM_INPUT_BYTES &&
    Object.hasOwn(PLATFORM, name)
  ) {
    await pay(blocks * rounds)
    return new Uint8Array(pbkdf2Sync(password, salt, rounds, length, name))
  }
  const shortened = hash.create()
  if (password.length > hash.blockLen)
    await inPieces(payer, password, (piece) => shortened.update(piece), LIBRARY_PIECES)
  const keyed = hmac.create(hash, password.length > hash.blockLen ? shortened.digest() : password)
  const salted = keyed.clone()
  await inPieces(payer, salt, (piece) => salted.update(piece), LIBRARY_PIECES)
  const output = new Uint8Array(blocks * hash.outputLen)
  const used = keyed.clone()
  const last = new Uint8Array(hash.outputLen)
  const number = new Uint8Array(4)
  for (let block = 0; block < blocks; block++) {
    const sum = output.subarray(block * hash.outputLen, (block + 1) * hash.outputLen)
    new DataView(number.buffer).setUint32(0, block + 1)
    for (let round = 0; round < rounds; round++) {
      const pause = pay(1)
      if (pause) await pause
      if (round === 0) salted._cloneInto(used).update(number).digestInto(last)
      else keyed._cloneInto(used).update(last).digestInto(last)
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) ^ (last[at] ?? 0)
    }
  }
  return output.subarray(0, length)
}
