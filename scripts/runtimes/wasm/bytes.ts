// Reads and writes the LEB128 numbers of a WebAssembly binary.

/** A reading position in a binary. */
export class Cursor {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /** The next byte. Throws at the end of the binary. */
  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined)
      throw new Error(`the WebAssembly binary ends at byte ${this.at}, in the middle of a section`)
    this.at += 1
    return byte
  }

  /** An unsigned number of up to 32 bits. */
  u32(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  /** Skips a number of any size or sign. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  /** A name: its length, then UTF-8. */
  name(): string {
    const length = this.u32()
    this.at += length
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at))
  }
}

/** Encodes `value` as unsigned LEB128. */
export function u32(value: number): number[] {
  const out: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    out.push(rest > 0 ? low | 0x80 : low)
  } while (rest > 0)
  return out
}

/** Encodes a 32-bit integer as signed LEB128. */
export function i32(value: number): number[] {
  const out: number[] = []
  let rest = value
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    const last = (rest === 0 && !(low & 0x40)) || (rest === -1 && (low & 0x40) !== 0)
    out.push(last ? low : low | 0x80)
    if (last) return out
  }
}

/** Concatenates byte arrays. */
export function joinedBytes(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
