// Converts arguments of node:crypto to bytes, and calls the host with Node's errors.

import { Buffer, bufferOver } from '../base/buffer.ts'
import { coded } from '../base/errors.ts'
import { bytesOf, failure, tried } from '../base/host.ts'
import { invalidType } from '../library/validate.ts'

import type { Handed } from '../base/host.ts'

export type Data = string | ArrayBuffer | ArrayBufferView

/** The bytes of text or a buffer; throws Node's error for other types. */
export function bytesFrom(
  data: unknown,
  name = 'data',
  encoding?: string,
  expected = 'of type string or an instance of Buffer, TypedArray, or DataView',
): Uint8Array {
  // The cast is safe: Buffer refuses unknown encodings.
  if (typeof data === 'string')
    return Buffer.from(data, (encoding === 'buffer' ? 'utf8' : encoding) as BufferEncoding)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  throw invalidType(name, expected, data)
}

export const ANY_BYTES = 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView'
export const ANY_KEY =
  'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey'

/** A buffer, or text if an encoding is given. */
export function encoded(bytes: Uint8Array, encoding: unknown): Buffer | string {
  const buffer = bufferOver(bytes)
  // The cast is safe: Buffer refuses unknown encodings.
  return encoding === undefined || encoding === null || encoding === 'buffer'
    ? buffer
    : buffer.toString(encoding as BufferEncoding)
}

/** Calls the host, and throws its error if it fails. */
export function called(operation: string, ...args: readonly Handed[]): unknown {
  const answer = tried(operation, ...args)
  if (answer !== null) return answer
  const { code, message } = failure()
  const made =
    code === 'ERR_OUT_OF_RANGE' || code === 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS'
      ? new RangeError(message)
      : code.startsWith('ERR_INVALID_ARG') || code === 'ERR_CRYPTO_INVALID_DIGEST'
        ? new TypeError(message)
        : new Error(message)
  // OpenSSL's own errors have their code only as a property.
  throw code === 'ERR_OSSL_EVP_UNSUPPORTED'
    ? made
    : code.startsWith('ERR_OSSL')
      ? Object.assign(made, { code })
      : coded(made, code)
}

export function calledForBytes(operation: string, ...args: readonly Handed[]): Buffer {
  return bufferOver(bytesOf(called(operation, ...args)))
}

/** Calls `call` immediately, and then the callback with its result, as Node does. */
export function later(call: () => unknown, then: (error: unknown, made?: unknown) => void): void {
  let made: unknown
  let error: unknown = null
  try {
    made = call()
  } catch (thrown) {
    error = thrown
  }
  queueMicrotask(() => setTimeout(() => (error === null ? then(null, made) : then(error)), 0))
}
