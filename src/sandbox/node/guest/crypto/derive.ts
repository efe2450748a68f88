// Derives keys from passwords on the host: pbkdf2, scrypt and hkdf.

import { coded } from '../base/errors.ts'
import { handed } from '../base/host.ts'
import { requireFunction, requireInteger, requireString } from '../library/validate.ts'
import { ANY_BYTES, ANY_KEY, bytesFrom, calledForBytes, later } from './bytes.ts'
import { known } from './hash.ts'
import { secretOf } from './keys.ts'

import type { Buffer } from '../base/buffer.ts'

type Then = (error: unknown, key?: unknown) => void

const UINT32_MAX = 2 ** 32 - 1

export function pbkdf2Sync(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  keylen: unknown,
  digest: unknown,
): Buffer {
  requireString(digest, 'digest')
  const given = bytesFrom(password, 'password', 'utf8', ANY_BYTES)
  const salted = bytesFrom(salt, 'salt', 'utf8', ANY_BYTES)
  requireInteger(iterations, 'iterations', 1)
  requireInteger(keylen, 'keylen')
  return calledForBytes('pbkdf2', handed(given), handed(salted), iterations, keylen, digest)
}

export function pbkdf2(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  keylen: unknown,
  digest: unknown,
  then: Then,
): void {
  requireFunction(typeof digest === 'function' ? undefined : then, 'callback')
  requireString(digest, 'digest')
  later(() => pbkdf2Sync(password, salt, iterations, keylen, digest), then)
}

interface ScryptOptions {
  readonly N?: number
  readonly cost?: number
  readonly r?: number
  readonly blockSize?: number
  readonly p?: number
  readonly parallelization?: number
  readonly maxmem?: number
}

/** The value of an option that has two names. */
function option(one: number | undefined, other: number | undefined, usual: number, name: string): number {
  if (one !== undefined && other !== undefined)
    throw coded(new Error('Invalid scrypt parameter'), 'ERR_CRYPTO_SCRYPT_INVALID_PARAMETER')
  const value = one ?? other ?? usual
  requireInteger(value, name, 0, UINT32_MAX)
  return value === 0 ? usual : value
}

export function scryptSync(
  password: unknown,
  salt: unknown,
  keylen: unknown,
  options: ScryptOptions = {},
): Buffer {
  const given = bytesFrom(password, 'password', 'utf8', ANY_BYTES)
  const salted = bytesFrom(salt, 'salt', 'utf8', ANY_BYTES)
  requireInteger(keylen, 'keylen')
  const N = option(options.N, options.cost, 16_384, 'N')
  const r = option(options.r, options.blockSize, 8, 'r')
  const p = option(options.p, options.parallelization, 1, 'p')
  const maxmem = options.maxmem || 33_554_432
  const invalid = (why: string): Error =>
    coded(new RangeError(`Invalid scrypt params${why}`), 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS')
  if (N < 2 || (N & (N - 1)) !== 0 || p * r > 2 ** 30 - 1) throw invalid('')
  if (128 * r * (N + p + 2) > maxmem)
    throw invalid(': error:030000AC:digital envelope routines::memory limit exceeded')
  return calledForBytes('scrypt', handed(given), handed(salted), N, r, p, keylen)
}

export function scrypt(password: unknown, salt: unknown, keylen: unknown, ...rest: readonly unknown[]): void {
  const then = rest.at(-1)
  requireFunction(then, 'callback')
  // The casts are safe: the options are optional, and the callback is checked.
  const options = (rest.length > 1 ? rest[0] : {}) as ScryptOptions
  later(() => scryptSync(password, salt, keylen, options ?? {}), then as Then)
}

export function hkdfSync(
  digest: unknown,
  key: unknown,
  salt: unknown,
  info: unknown,
  keylen: unknown,
): ArrayBuffer {
  requireString(digest, 'digest')
  const given = secretOf(key) ?? bytesFrom(key, 'ikm', 'utf8', ANY_KEY)
  const [salted, infoBytes] = [
    bytesFrom(salt, 'salt', 'utf8', ANY_BYTES),
    bytesFrom(info, 'info', 'utf8', ANY_BYTES),
  ]
  requireInteger(keylen, 'length')
  if (!known(digest)) throw coded(new TypeError(`Invalid digest: ${digest}`), 'ERR_CRYPTO_INVALID_DIGEST')
  const bits = Number(/\d+$/.exec(digest)?.[0] ?? 160)
  if (keylen > 255 * (bits === 1 ? 20 : bits / 8))
    throw coded(new RangeError('Invalid key length'), 'ERR_CRYPTO_INVALID_KEYLEN')
  const made = calledForBytes('hkdf', digest, handed(given), handed(salted), handed(infoBytes), keylen)
  return new Uint8Array(made).buffer
}

export function hkdf(
  digest: unknown,
  key: unknown,
  salt: unknown,
  info: unknown,
  keylen: unknown,
  then: Then,
): void {
  requireFunction(then, 'callback')
  later(() => hkdfSync(digest, key, salt, info, keylen), then)
}
