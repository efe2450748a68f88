// Encodings of Buffer: base64url, which the package lacks, and long texts, which the host converts because a loop over
// bytes takes a hundred times as long in QuickJS.

import { Buffer } from 'buffer/'

import { bytesOf, handed, tried } from './host.ts'
import { decodeText, encodeText } from './text.ts'

type Slice = (this: Uint8Array, encoding?: string, start?: number, end?: number) => string

/** Maximum length of texts and bytes that are encoded here instead of by the host. */
const SHORT = 64
/** The host's name of an encoding. */
const HOST: Readonly<Record<string, string>> = {
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url',
  latin1: 'latin1',
  binary: 'latin1',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
}

function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === null || /^utf-?8$/i.test(String(encoding))
}

function isBase64url(encoding: unknown): boolean {
  return typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
}

function hostName(encoding: unknown): string | undefined {
  const name = String(encoding).toLowerCase()
  return Object.hasOwn(HOST, name) ? HOST[name] : undefined
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Normalizes a start or end argument to an index: like that of `slice`, but never negative. */
function index(value: unknown, otherwise: number, length: number): number {
  const number = Math.trunc(Number(value ?? otherwise)) || 0
  return Math.max(0, Math.min(length, number))
}

// The casts are safe: Buffer's methods are replaced by equivalent ones.
const prototype = Buffer.prototype as unknown as Record<string, unknown>
const toString = prototype['toString'] as Slice
const ownToString: Slice = function (encoding, start, end) {
  const view = this.subarray(index(start, 0, this.length), index(end, this.length, this.length))
  if (isUtf8(encoding)) return decodeText(view)
  const name = hostName(encoding)
  if (name !== undefined && view.length > SHORT) return String(tried('bufferText', name, handed(view)))
  return isBase64url(encoding)
    ? urlSafe(toString.call(this, 'base64', start, end))
    : toString.call(this, encoding, start, end)
}
prototype['toString'] = ownToString

interface Statics {
  from: (value: unknown, ...rest: readonly unknown[]) => Buffer
  byteLength: (value: unknown, encoding?: string) => number
  isEncoding: (encoding: unknown) => boolean
}
const statics = Buffer as unknown as Statics
const { from, byteLength, isEncoding } = statics

function fromText(text: string, encoding: unknown): Buffer {
  if (isUtf8(encoding)) {
    const bytes = encodeText(text)
    return from(bytes.buffer, 0, bytes.length)
  }
  const name = hostName(encoding)
  if (name === undefined || text.length <= SHORT)
    return from(text, isBase64url(encoding) ? 'base64' : encoding)
  const bytes = bytesOf(tried('bufferBytes', name, text))
  return from(bytes.buffer, 0, bytes.length)
}
statics.from = (value, ...rest) =>
  typeof value === 'string' ? fromText(value, rest[0]) : from(value, ...rest)
statics.isEncoding = (encoding) => isBase64url(encoding) || isEncoding(encoding)
statics.byteLength = (value, encoding) => {
  if (typeof value !== 'string') return byteLength(value, encoding)
  if (isBase64url(encoding)) return Math.trunc((value.replace(/=+$/, '').length * 3) / 4)
  return isUtf8(encoding) && value.length > SHORT ? encodeText(value).length : byteLength(value, encoding)
}

/** Methods whose text may be in base64url. */
type Call = (this: Buffer, value: unknown, ...rest: readonly unknown[]) => unknown
for (const name of ['fill', 'indexOf', 'lastIndexOf', 'includes']) {
  const own = prototype[name] as Call
  const call: Call = function (value, ...rest) {
    return typeof value === 'string' && isBase64url(rest.at(-1))
      ? own.call(this, statics.from(value, 'base64'), ...rest.slice(0, -1))
      : own.call(this, value, ...rest)
  }
  prototype[name] = call
}
const write = prototype['write'] as Call
const ownWrite: Call = function (value, ...rest) {
  return write.call(this, value, ...rest.map((one) => (isBase64url(one) ? 'base64' : one)))
}
prototype['write'] = ownWrite
for (const name of ['toString', 'fill', 'indexOf', 'lastIndexOf', 'includes', 'write'])
  Object.defineProperty(prototype, name, { enumerable: true })

const alloc = Buffer.alloc
Object.assign(Buffer, {
  poolSize: 8192,
  alloc: (size: number, fill?: unknown, encoding?: string) =>
    isBase64url(encoding) && typeof fill === 'string'
      ? alloc(size, statics.from(fill, 'base64'))
      : alloc(size, fill as string, encoding as BufferEncoding),
  copyBytesFrom: (
    view: ArrayBufferView & { slice?: (from: number, to: number) => ArrayBufferView },
    offset = 0,
    length?: number,
  ) => {
    const count = 'length' in view ? Number(view.length) : view.byteLength
    const part = view.slice?.(offset, length === undefined ? count : offset + length) ?? view
    return from(part.buffer, part.byteOffset, part.byteLength)
  },
})
