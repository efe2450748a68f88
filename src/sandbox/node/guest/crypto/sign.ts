// Signatures, RSA encryption and key agreement, implemented by the host.

import { Writable } from 'readable-stream'

import { Buffer } from '../base/buffer.ts'
import { coded } from '../base/errors.ts'
import { handed } from '../base/host.ts'
import { requireString } from '../library/validate.ts'
import { bytesFrom, called, calledForBytes, encoded, later } from './bytes.ts'
import { known } from './hash.ts'
import { keyHandle } from './keys.ts'

import type { Data } from './bytes.ts'

type Then = (error: unknown, made?: unknown) => void

/** The name of the digest in the host's library. */
function digestName(algorithm: string): string {
  return algorithm
    .replace(/^RSA-/i, '')
    .replace(/^(sha)-(?=\d)/i, '$1')
    .toLowerCase()
}

class Signing extends Writable {
  protected readonly algorithm: string
  readonly #pieces: Uint8Array[] = []

  constructor(algorithm: unknown) {
    super()
    requireString(algorithm, 'algorithm')
    if (!known(algorithm)) throw coded(new TypeError('Invalid digest'), 'ERR_CRYPTO_INVALID_DIGEST')
    this.algorithm = digestName(algorithm)
    Object.defineProperty(this, 'algorithm', { enumerable: false })
  }

  update(data: Data, encoding?: string): this {
    this.#pieces.push(bytesFrom(data, 'data', encoding).slice())
    return this
  }

  protected all(): Uint8Array {
    return Buffer.concat(this.#pieces)
  }

  _write(chunk: Data, encoding: string, then: () => void): void {
    this.update(chunk, encoding)
    then()
  }
}

export class Sign extends Signing {
  sign(key: unknown, encoding?: string): Buffer | string {
    if (key === undefined || key === null)
      throw coded(new Error('No key provided to sign'), 'ERR_CRYPTO_SIGN_KEY_REQUIRED')
    return encoded(signed(this.algorithm, this.all(), key), encoding)
  }
}

export class Verify extends Signing {
  verify(key: unknown, signature: unknown, encoding?: string): boolean {
    return verified(this.algorithm, this.all(), key, bytesFrom(signature, 'signature', encoding))
  }
}

function signed(algorithm: string | null, data: Uint8Array, key: unknown): Buffer {
  const { handle, options } = keyHandle('private', key)
  return calledForBytes('sign', algorithm, handed(data), handle, JSON.stringify(options))
}

function verified(algorithm: string | null, data: Uint8Array, key: unknown, signature: Uint8Array): boolean {
  const { handle, options } = keyHandle('public', key)
  return called('verify', algorithm, handed(data), handle, JSON.stringify(options), handed(signature)) === 1
}

function checkedDigest(algorithm: unknown): string | null {
  if (algorithm === undefined || algorithm === null) return null
  requireString(algorithm, 'algorithm')
  if (!known(algorithm))
    throw coded(new TypeError(`Invalid digest: ${algorithm}`), 'ERR_CRYPTO_INVALID_DIGEST')
  return digestName(algorithm)
}

/** Implements crypto.sign, with a callback if `then` is given. */
export function sign(algorithm: unknown, data: unknown, key: unknown, then?: Then): Buffer | undefined {
  const call = (): Buffer => signed(checkedDigest(algorithm), bytesFrom(data), key)
  if (!then) return call()
  later(call, then)
  return undefined
}

export function verify(
  algorithm: unknown,
  data: unknown,
  key: unknown,
  signature: unknown,
  then?: Then,
): boolean | undefined {
  const call = (): boolean =>
    verified(checkedDigest(algorithm), bytesFrom(data), key, bytesFrom(signature, 'signature'))
  if (!then) return call()
  later(call, then)
  return undefined
}

function rsa(operation: string, kind: 'public' | 'private') {
  return (key: unknown, data: unknown): Buffer => {
    const { handle, options } = keyHandle(kind, key)
    const { oaepLabel, ...rest } = options as { oaepLabel?: unknown }
    const label =
      oaepLabel === undefined ? {} : { oaepLabel: Buffer.from(bytesFrom(oaepLabel)).toString('hex') }
    return calledForBytes(
      'rsa',
      operation,
      handle,
      JSON.stringify({ ...rest, ...label }),
      handed(bytesFrom(data, 'buffer')),
    )
  }
}

export const publicEncrypt = rsa('publicEncrypt', 'public')
export const publicDecrypt = rsa('publicDecrypt', 'public')
export const privateEncrypt = rsa('privateEncrypt', 'private')
export const privateDecrypt = rsa('privateDecrypt', 'private')

export function diffieHellman(options: { privateKey: unknown; publicKey: unknown }): Buffer {
  const own = keyHandle('private', options.privateKey)
  const other = keyHandle('public', options.publicKey)
  return calledForBytes('keyAgree', own.handle, other.handle)
}
