// Reads and writes C types in the guest's memory.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The part of WebAssembly.Memory that is used here. */
export interface GrowableMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export class Memory {
  readonly #memory: GrowableMemory
  #bytes = new Uint8Array(0)
  #view = new DataView(new ArrayBuffer(0))

  constructor(memory: GrowableMemory) {
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

  u32(address: number): number {
    return this.#data.getUint32(address, true)
  }

  i32(address: number): number {
    return this.#data.getInt32(address, true)
  }

  i16(address: number): number {
    return this.#data.getInt16(address, true)
  }

  i64(address: number): number {
    return Number(this.#data.getBigInt64(address, true))
  }

  setU32(address: number, value: number): void {
    this.#data.setUint32(address, value, true)
  }

  setU16(address: number, value: number): void {
    this.#data.setUint16(address, value, true)
  }

  setU8(address: number, value: number): void {
    this.#data.setUint8(address, value)
  }

  setI64(address: number, value: number): void {
    this.#data.setBigInt64(address, BigInt(value), true)
  }

  /** Reads a C string; null if it is not UTF-8. */
  text(address: number): string | null {
    const { bytes } = this
    const end = bytes.indexOf(0, address)
    try {
      return decoder.decode(bytes.subarray(address, end < 0 ? address : end))
    } catch {
      return null
    }
  }

  /** Writes a C string if it fits. Returns its length including NUL. */
  setText(address: number, text: string): number {
    const encoded = encoder.encode(text)
    this.bytes.set(encoded, address)
    this.bytes[address + encoded.length] = 0
    return encoded.length + 1
  }
}
