// Buffer, whose large texts the host encodes: in QuickJS a loop over bytes takes a hundred times as long.

import { Buffer } from 'buffer/'
import * as bufferModule from 'buffer/'

import { decodeText, encodeText } from './text.ts'

type Slice = (this: Uint8Array, encoding?: string, start?: number, end?: number) => string

function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === null || /^utf-?8$/i.test(String(encoding))
}

// The casts: replaces Buffer's own methods by equal ones.
const prototype = Buffer.prototype as unknown as { toString: Slice; write: unknown }
const toString = prototype.toString
prototype.toString = function (encoding, start, end) {
  return isUtf8(encoding)
    ? decodeText(this.subarray(start ?? 0, end ?? this.length))
    : toString.call(this, encoding, start, end)
}
const statics = Buffer as unknown as {
  from: (value: unknown, ...rest: readonly unknown[]) => Buffer
  byteLength: (value: unknown, encoding?: string) => number
}
const { from, byteLength } = statics
statics.from = (value, ...rest) => {
  if (typeof value !== 'string' || !isUtf8(rest[0])) return from(value, ...rest)
  const bytes = encodeText(value)
  return from(bytes.buffer, 0, bytes.length)
}
statics.byteLength = (value, encoding) =>
  typeof value === 'string' && isUtf8(encoding) && value.length > 32
    ? encodeText(value).length
    : byteLength(value, encoding)
Object.assign(Buffer, { poolSize: 8192 })

/** A Buffer over the same bytes. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}

export class Blob {
  readonly #bytes: Buffer
  readonly type: string

  constructor(parts: readonly unknown[] = [], options: { type?: string } = {}) {
    this.#bytes = Buffer.concat(
      parts.map((part) => {
        if (part instanceof Blob) return part.#bytes
        if (ArrayBuffer.isView(part))
          return Buffer.from(part.buffer as ArrayBuffer, part.byteOffset, part.byteLength)
        return part instanceof ArrayBuffer ? Buffer.from(part) : Buffer.from(String(part))
      }),
    )
    this.type = options.type ?? ''
  }

  get size(): number {
    return this.#bytes.length
  }

  async text(): Promise<string> {
    return this.#bytes.toString()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(this.#bytes).buffer
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(this.#bytes)
  }

  slice(start?: number, end?: number, type = ''): Blob {
    return new Blob([this.#bytes.subarray(start, end)], { type })
  }
}

/** Latin-1 text to base64 and back, as in a browser. */
export function btoa(text: unknown): string {
  const string = String(text)
  if (/[^\0-\xff]/.test(string))
    throw Object.assign(new Error('Invalid character'), { name: 'InvalidCharacterError', code: 5 })
  return Buffer.from(string, 'latin1').toString('base64')
}

export function atob(text: unknown): string {
  const string = String(text).replace(/[\t\n\f\r ]/g, '')
  if (/[^A-Za-z0-9+/=]/.test(string) || string.replace(/={1,2}$/, '').length % 4 === 1)
    throw Object.assign(new Error('The string to be decoded is not correctly encoded.'), {
      name: 'InvalidCharacterError',
      code: 5,
    })
  return Buffer.from(string, 'base64').toString('latin1')
}

export { Buffer }
export const bufferExports = {
  ...bufferModule,
  Buffer,
  Blob,
  atob,
  btoa,
  isUtf8: (bytes: Uint8Array) => !decodeText(bytes).includes('\ufffd'),
  isAscii: (bytes: Uint8Array) => bytes.every((byte) => byte < 128),
  transcode: (bytes: Buffer, from: BufferEncoding, to: BufferEncoding) =>
    Buffer.from(bytes.toString(from), to),
  constants: { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 30 - 1 },
}
