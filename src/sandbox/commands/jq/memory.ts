// The memory of a jq instance: reads and writes C numbers and strings, and grows.

import { decode, encode } from '../io/text.ts'

/** The part of WebAssembly.Memory that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

const PAGE_BYTES = 65_536

export class JqMemory {
  readonly #memory: WasmMemory
  #bytes: Uint8Array
  #view: DataView

  constructor(memory: WasmMemory) {
    this.#memory = memory
    this.#bytes = new Uint8Array(memory.buffer)
    this.#view = new DataView(memory.buffer)
  }

  /** A view of the memory, which becomes invalid when the memory grows. */
  get bytes(): Uint8Array {
    return this.#bytes
  }

  /** Grows to at least `bytes`. Returns false if the engine has no memory left. */
  grow(bytes: number): boolean {
    try {
      this.#memory.grow(Math.ceil((bytes - this.#bytes.length) / PAGE_BYTES))
    } catch {
      return false
    }
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#view = new DataView(this.#memory.buffer)
    return true
  }

  i32(at: number): number {
    return this.#view.getInt32(at, true)
  }

  u32(at: number): number {
    return this.#view.getUint32(at, true)
  }

  setI32(at: number, value: number): void {
    this.#view.setInt32(at, value, true)
  }

  setI64(at: number, value: number): void {
    this.#view.setBigInt64(at, BigInt(value), true)
  }

  text(at: number): string {
    return decode(this.#bytes.subarray(at, this.#bytes.indexOf(0, at)))
  }

  /** Writes a C string. Returns its length including NUL. */
  setText(at: number, text: string): number {
    const encoded = encode(text)
    this.#bytes.set(encoded, at)
    this.#bytes[at + encoded.length] = 0
    return encoded.length + 1
  }
}
