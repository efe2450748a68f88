// Reads and writes C types in the guest's memory.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The part of WebAssembly.Memory that is used here. */
export interface Growing {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export class Memory {
  readonly #memory: Growing
  #bytes = new Uint8Array(0)
  #view = new DataView(new ArrayBuffer(0))

  constructor(memory: Growing) {
    this.#memory = memory
  }

  /** All memory, as a view that becomes invalid when memory grows. */
  get bytes(): Uint8Array {
    this.#refresh()
    return this.#bytes
  }

  get #data(): DataView {
    this.#refresh()
    return this.#view
  }

  /** Growing detaches the buffer of existing views. */
  #refresh(): void {
    if (this.#bytes.length > 0) return
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#view = new DataView(this.#memory.buffer)
  }

  /** Grows to at least `bytes`; false if the engine refuses. */
  grow(bytes: number): boolean {
    const pages = Math.ceil((bytes - this.bytes.length) / 65_536)
    try {
      if (pages > 0) this.#memory.grow(pages)
      return true
    } catch {
      return false
    }
  }

  u32(at: number): number {
    return this.#data.getUint32(at, true)
  }

  i32(at: number): number {
    return this.#data.getInt32(at, true)
  }

  i16(at: number): number {
    return this.#data.getInt16(at, true)
  }

  i64(at: number): number {
    return Number(this.#data.getBigInt64(at, true))
  }

  setU32(at: number, value: number): void {
    this.#data.setUint32(at, value, true)
  }

  setU16(at: number, value: number): void {
    this.#data.setUint16(at, value, true)
  }

  setU8(at: number, value: number): void {
    this.#data.setUint8(at, value)
  }

  setI64(at: number, value: number): void {
    this.#data.setBigInt64(at, BigInt(value), true)
  }

  /** Reads a C string; null if it is not UTF-8. */
  text(at: number): string | null {
    const { bytes } = this
    const end = bytes.indexOf(0, at)
    try {
      return decoder.decode(bytes.subarray(at, end < 0 ? at : end))
    } catch {
      return null
    }
  }

  /** Writes a C string if it fits. Returns its length including NUL. */
  setText(at: number, text: string): number {
    const encoded = encoder.encode(text)
    this.bytes.set(encoded, at)
    this.bytes[at + encoded.length] = 0
    return encoded.length + 1
  }
}
