// Digest algorithms of the platform, and further ones from a JavaScript library.

import { createHash, createHmac } from 'node:crypto'

import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from '@noble/hashes/sha3.js'
import { sha512_224, sha512_256 } from '@noble/hashes/sha2.js'

import { PLATFORM_PIECES, type Pieces } from '../../wasm/work.ts'

/** The library takes many times as long as the platform. */
export const LIBRARY_PIECES: Pieces = { bytes: 131_072, stepsPerByte: 8 }

/** An unfinished digest. */
export interface Hasher {
  update(bytes: Uint8Array): unknown
  /** The size of the pieces for `update`. */
  readonly pieces: Pieces
  digest(): Uint8Array
  /** Returns a copy; null if the digest cannot be copied. */
  copy: (() => Hasher) | null
  /** Set for a digest of any length, which is computed in pieces with `next` instead of `digest`. */
  readonly extendable?: { readonly length: number; next(into: Uint8Array): unknown }
}

/** The algorithms by Node's name in lower case. */
const OWN = {
  blake2b512: blake2b,
  blake2s256: blake2s,
  ripemd: ripemd160,
  ripemd160,
  rmd160: ripemd160,
  'rsa-ripemd160': ripemd160,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
} as const
/** Digests of variable length, with their default length in bytes. */
const EXTENDABLE = { shake128: [shake128, 16], shake256: [shake256, 32] } as const
const PLATFORM = new Set(['md5', 'md5-sha1', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

interface NobleHash {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
  clone(): NobleHash
}
interface ExtendableHash extends NobleHash {
  xofInto(into: Uint8Array): unknown
  clone(): ExtendableHash
}

function isOwn(name: string): name is keyof typeof OWN {
  return Object.hasOwn(OWN, name)
}

function isExtendable(name: string): name is keyof typeof EXTENDABLE {
  return Object.hasOwn(EXTENDABLE, name)
}

/** The name without a prefix: `RSA-SHA256` and `SHA256` are the same digest. */
function plainName(name: string): string {
  const lower = name.toLowerCase()
  const bare = lower.replace(/^rsa-/, '').replace(/^sha-(1|224|256|384|512)$/, 'sha$1')
  return PLATFORM.has(bare) ? bare : lower.replace(/^rsa-(?=sha)/, '').replace(/^sha512\//, 'sha512-')
}

function ofNoble(hash: NobleHash): Hasher {
  return {
    pieces: LIBRARY_PIECES,
    update: (bytes) => hash.update(bytes),
    digest: () => hash.digest(),
    copy: () => ofNoble(hash.clone()),
  }
}

function ofExtendable(hash: ExtendableHash, length: number): Hasher {
  return {
    ...ofNoble(hash),
    copy: () => ofExtendable(hash.clone(), length),
    extendable: { length, next: (into) => hash.xofInto(into) },
  }
}

interface PlatformHash {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
  copy(): PlatformHash
}

function ofPlatform(hash: PlatformHash): Hasher {
  return {
    pieces: PLATFORM_PIECES,
    update: (bytes) => hash.update(bytes),
    digest: () => hash.digest(),
    copy: () => ofPlatform(hash.copy()),
  }
}

/** Returns null if there is no such algorithm. `length` is the number of bytes requested of an extendable digest. */
export function hasherOf(name: string, length: number | undefined): Hasher | null {
  const plain = plainName(name)
  if (isExtendable(plain)) {
    const [make, usual] = EXTENDABLE[plain]
    return ofExtendable(make.create({}), length ?? usual)
  }
  if (isOwn(plain)) return ofNoble(OWN[plain].create())
  return PLATFORM.has(plain) ? ofPlatform(createHash(plain)) : null
}

/** A keyed digest (HMAC); null if there is no such algorithm. */
export function keyedHasherOf(name: string, key: Uint8Array): Hasher | null {
  const plain = plainName(name)
  if (isOwn(plain)) return ofNoble(hmac.create(OWN[plain], key))
  if (!PLATFORM.has(plain)) return null
  const made = createHmac(plain, key)
  return {
    pieces: PLATFORM_PIECES,
    update: (bytes) => made.update(bytes),
    digest: () => made.digest(),
    copy: null,
  }
}
