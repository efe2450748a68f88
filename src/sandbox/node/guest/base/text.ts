// Converts text to bytes and back with the host's coders: TextEncoder, TextDecoder, atob, btoa.

import { bytesOf, failure, handed, tried } from './host.ts'

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return text === '' ? new Uint8Array(0) : bytesOf(tried('encode', text))
}

/** Decodes UTF-8; invalid bytes become the replacement character. */
export function decodeText(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : String(tried('decode', 'utf-8', 2, handed(bytes)))
}

class GuestTextEncoder {
  get encoding(): string {
    return 'utf-8'
  }

  encode(text: unknown = ''): Uint8Array {
    return encodeText(String(text))
  }

  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    let [read, written] = [0, 0]
    for (const character of text) {
      const bytes = encodeText(character)
      if (written + bytes.length > into.length) break
      into.set(bytes, written)
      written += bytes.length
      read += character.length
    }
    return { read, written }
  }
}

class GuestTextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  #rest = new Uint8Array(0)

  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const name = String(label).trim().toLowerCase()
    this.encoding = name === 'utf8' || name === 'unicode-1-1-utf-8' ? 'utf-8' : name
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
    this.#decode(new Uint8Array(1))
  }

  #decode(bytes: Uint8Array): string {
    const text = tried(
      'decode',
      this.encoding,
      (this.fatal ? 1 : 0) + (this.ignoreBOM ? 2 : 0),
      handed(bytes),
    )
    if (text !== null) return String(text)
    const { code, message } = failure()
    const error = code === 'ERR_ENCODING_NOT_SUPPORTED' ? new RangeError(message) : new TypeError(message)
    throw Object.assign(error, { code })
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const bytes = input === undefined ? new Uint8Array(0) : viewOf(input)
    const all = new Uint8Array(this.#rest.length + bytes.length)
    all.set(this.#rest)
    all.set(bytes, this.#rest.length)
    const whole = options.stream && this.encoding === 'utf-8' ? wholeCharacters(all) : all.length
    this.#rest = options.stream ? all.slice(whole) : new Uint8Array(0)
    return whole === 0 ? '' : this.#decode(all.subarray(0, whole))
  }
}

function viewOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(input)
    ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    : new Uint8Array(input)
}

/** How many bytes end with a complete UTF-8 character. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needs > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

export const textGlobals = { TextEncoder: GuestTextEncoder, TextDecoder: GuestTextDecoder }
