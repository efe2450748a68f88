// Buffer, Blob, atob and btoa.

import { Buffer } from 'buffer/'
import * as bufferModule from 'buffer/'

import './buffer-encodings.ts'
import { decodeText } from './text.ts'
import { DOMException } from './web-errors.ts'

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')
const SHOWN_BYTES = 50
// Defines how Node prints buffers. The cast is safe: it only defines a property.
Object.defineProperty(Buffer.prototype as unknown as object, inspectSymbol, {
  value(
    this: Buffer,
    _depth: unknown,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ) {
    const hex = [...this.subarray(0, SHOWN_BYTES)].map((byte) => byte.toString(16).padStart(2, '0'))
    const bytes = hex.join(' ')
    const rest = this.length - SHOWN_BYTES
    const more = rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''
    // Do not list the properties of a large buffer, because that would also list its bytes.
    const extra = this.length > SHOWN_BYTES ? [] : Object.keys(this).slice(this.length)
    const shown = extra.map((key) => `${key}: ${inspect(Reflect.get(this, key), options)}`)
    const name = this.constructor?.name ?? 'Buffer'
    return `<${name} ${bytes}${more}${shown.length > 0 ? `, ${shown.join(', ')}` : ''}>`
  },
  writable: true,
  configurable: true,
  enumerable: false,
})

/** A Buffer over the same memory. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}

// Properties that Node's library uses.
for (const encoding of ['ascii', 'base64', 'base64url', 'hex', 'latin1', 'ucs2', 'utf8'] as const)
  Object.defineProperty(Buffer.prototype, `${encoding}Slice`, {
    value(this: Buffer, start?: number, end?: number) {
      // Also for byte arrays that are not buffers.
      return Buffer.prototype.toString.call(this, encoding as BufferEncoding, start, end)
    },
    writable: true,
    configurable: true,
  })

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

export class File extends Blob {
  readonly name: string
  readonly lastModified: number

  constructor(
    parts: readonly unknown[],
    name: string,
    options: { readonly type?: string; readonly lastModified?: number } = {},
  ) {
    super(parts, options)
    this.name = name
    this.lastModified = options.lastModified ?? Date.now()
  }
}

/** Converts Latin-1 text to base64 and back, as in a browser. */
export function btoa(text: unknown): string {
  const string = String(text)
  if (/[^\0-\xff]/.test(string)) throw new DOMException('Invalid character', 'InvalidCharacterError')
  return Buffer.from(string, 'latin1').toString('base64')
}

export function atob(text: unknown): string {
  const string = String(text).replace(/[\t\n\f\r ]/g, '')
  if (/[^A-Za-z0-9+/=]/.test(string) || string.replace(/={1,2}$/, '').length % 4 === 1)
    throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError')
  return Buffer.from(string, 'base64').toString('latin1')
}

export { Buffer }
export const bufferExports = {
  ...bufferModule,
  Buffer,
  Blob,
  File,
  kStringMaxLength: 536_870_888,
  atob,
  btoa,
  isUtf8: (bytes: Uint8Array) => !decodeText(bytes).includes('\ufffd'),
  isAscii: (bytes: Uint8Array) => bytes.every((byte) => byte < 128),
  transcode: (bytes: Buffer, from: BufferEncoding, to: BufferEncoding) =>
    Buffer.from(bytes.toString(from), to),
  constants: { MAX_LENGTH: 9_007_199_254_740_991, MAX_STRING_LENGTH: 536_870_888 },
}
