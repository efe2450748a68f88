// Converts values between the host and QuickJS: reads what a guest passes, and creates what it receives.

import { ROPE_LEFT, STRING_LENGTH, STRING_UNITS, TAG } from './names.ts'

import type { Memory } from '../../wasm/memory.ts'
import type { QuickJs } from './names.ts'

/** The values that guest and host can exchange. */
export type Value = string | number | Uint8Array | null | undefined

const encoder = new TextEncoder()
const narrow = new TextDecoder()
const wide = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true })
/**
 * How many UTF-16 units String.fromCharCode converts per call, because the number of arguments is limited.
 */
const CHUNK_UNITS = 8_192
/** Strings up to this length, such as names, are converted without a decoder, which would take longer. */
const SHORT_STRING_MAX_UNITS = 64

export class Values {
  readonly #quickJs: QuickJs
  readonly #memory: Memory

  constructor(quickJs: QuickJs, memory: Memory) {
    this.#quickJs = quickJs
    this.#memory = memory
  }

  /** The value at `pointer`, or undefined if its type cannot be passed. */
  read(context: number, pointer: number): Value {
    const [low, tag] = [this.#memory.u32(pointer), this.#memory.i32(pointer + 4)]
    if (tag === TAG.int) return low | 0
    if (tag === TAG.bool) return low
    if (tag === TAG.null) return null
    if (tag === TAG.undefined) return undefined
    if (tag === TAG.string) return this.#text(low)
    if (tag === TAG.rope) return this.#rope(context, pointer, low)
    if (tag === TAG.object) return this.#bytes(context, pointer)
    return tag < TAG.string - 5 || tag > TAG.undefined + 5 ? this.#quickJs.Z(context, pointer) : undefined
  }

  /** Requesting a rope as a C string flattens it permanently. */
  #rope(context: number, pointer: number, rope: number): string {
    this.#quickJs.S(context, this.#quickJs.$(context, pointer))
    return this.#text(this.#memory.u32(rope + ROPE_LEFT))
  }

  #text(string: number): string {
    const word = this.#memory.u32(string + STRING_LENGTH)
    const length = word & 0x7fff_ffff
    const { bytes } = this.#memory
    const from = string + STRING_UNITS
    if (word >>> 31 === 1) return wideText(new Uint16Array(bytes.buffer, from, length))
    return narrowText(new Uint8Array(bytes.buffer, from, length))
  }

  #bytes(context: number, pointer: number): Uint8Array | undefined {
    const copy = this.#quickJs.aa(context, pointer)
    if (copy === 0) return undefined
    const length = this.#quickJs.ba(context, pointer)
    const bytes = this.#memory.bytes.slice(copy, copy + length)
    this.#quickJs.M(copy)
    return bytes
  }

  /** Creates a JSValue, which the caller frees or passes on; 0 if there is no memory. */
  make(context: number, value: Value): number {
    if (value === undefined) return 0
    if (value === null) return this.#word(this.#quickJs.F())
    if (typeof value === 'number') return this.#quickJs.Y(context, value)
    if (typeof value === 'string') return this.#string(context, value)
    const at = this.#quickJs.v(value.length || 1)
    if (at === 0) return 0
    this.#memory.bytes.set(value, at)
    return this.#quickJs.X(context, at, value.length)
  }

  /** Copies a constant, so that the caller can free it like any other value. */
  #word(constant: number): number {
    const at = this.#quickJs.v(8)
    if (at === 0) return 0
    this.#memory.bytes.copyWithin(at, constant, constant + 8)
    return at
  }

  #string(context: number, text: string): number {
    // A C string ends at NUL, so NUL units are written into the finished string.
    const holds = text.includes('\0')
    const at = this.text(holds ? text.replaceAll('\0', '\u0001') : text)
    if (at === 0) return 0
    const value = this.#quickJs._(context, at)
    this.#quickJs.M(at)
    if (holds && value !== 0) this.#setNul(this.#memory.u32(value), text)
    return value
  }

  #setNul(string: number, text: string): void {
    const wide = this.#memory.u32(string + STRING_LENGTH) >>> 31
    const { bytes } = this.#memory
    for (let index = text.indexOf('\0'); index >= 0; index = text.indexOf('\0', index + 1))
      bytes[string + STRING_UNITS + (index << wide)] = 0
  }

  /** Allocates a C string that the caller frees; 0 if there is no memory. */
  text(text: string): number {
    return this.bytes(encoder.encode(text))
  }

  /** Allocates a copy of `bytes` followed by NUL, which the caller frees; 0 if there is no memory. */
  bytes(bytes: Uint8Array): number {
    const at = this.#quickJs.v(bytes.length + 1)
    if (at === 0) return 0
    this.#memory.bytes.set(bytes, at)
    this.#memory.setU8(at + bytes.length, 0)
    return at
  }
}

/** Decodes text with one byte per unit. Must be fast, because megabytes would block the isolate. */
function narrowText(units: Uint8Array): string {
  if (units.length <= SHORT_STRING_MAX_UNITS) return String.fromCharCode(...units)
  return isAscii(units) ? narrow.decode(units) : wide.decode(new Uint16Array(units))
}

/** Uses a loop, because `every` takes six times as long. */
function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0x7f) return false
  return true
}

function wideText(units: Uint16Array): string {
  try {
    return wide.decode(units)
  } catch {
    // The text contains a lone surrogate, which no decoder accepts.
    const pieces: string[] = []
    for (let at = 0; at < units.length; at += CHUNK_UNITS)
      pieces.push(String.fromCharCode(...units.subarray(at, at + CHUNK_UNITS)))
    return pieces.join('')
  }
}
