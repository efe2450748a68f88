// Converts between bytes and the strings that just-bash uses for them: text, or strings with one character per byte.

import { Buffer } from 'node:buffer'

import { decode, encode } from '../commands/io/text.ts'

type Encoding = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1'

/** Converts bytes to a string with one character per byte. */
export function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

export function fromLatin1(text: string): Uint8Array {
  return fromText(text, 'latin1')
}

export function toText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== 'utf8' && encoding !== 'utf-8')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding)
  return decode(bytes)
}

export function fromText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf8' || encoding === 'utf-8') return encode(text)
  // The bytes are copied, because small Buffers share one ArrayBuffer.
  return new Uint8Array(Buffer.from(text, encoding === 'ascii' ? 'latin1' : encoding))
}

/** The number of bytes in use of each buffer that `append` created. */
const usedBytes = new WeakMap<ArrayBufferLike, number>()

/**
 * Joins `before` and `more`. Uses the space after `before` if it is free, so that many appends are fast.
 */
export function append(before: Uint8Array, more: Uint8Array): Uint8Array {
  const from = before.byteOffset + before.length
  const to = from + more.length
  if (usedBytes.get(before.buffer) === from && to <= before.buffer.byteLength) {
    usedBytes.set(before.buffer, to)
    new Uint8Array(before.buffer, from, more.length).set(more)
    return new Uint8Array(before.buffer, before.byteOffset, before.length + more.length)
  }
  const length = before.length + more.length
  const bytes = new Uint8Array(before.length === 0 ? length : length + (length >> 1))
  bytes.set(before)
  bytes.set(more, before.length)
  usedBytes.set(bytes.buffer, length)
  return bytes.subarray(0, length)
}
