// Encodes values between Python and the host in the format of Python's module marshal (version 2), which is fast in C.

/** Text stays encoded, because most of it is only passed on. */
export class MarshalText {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  toString(): string {
    return new TextDecoder().decode(this.bytes)
  }
}

export type MarshalValue =
  | null
  | boolean
  | number
  | bigint
  | Uint8Array
  | MarshalText
  | string
  | readonly MarshalValue[]

const DIGIT_BITS = 15n
const DIGIT_MASK = 0x7fffn
const code = (letter: string): number => letter.charCodeAt(0)
const [NONE, TRUE, FALSE, INT, LONG, FLOAT] = ['N', 'T', 'F', 'i', 'l', 'g'].map(code)
const [BYTES, TEXT, INTERNED, TUPLE, LIST] = ['s', 'u', 't', '(', '['].map(code)

/**
 * Decodes the result of `marshal.dumps(value, 2)`. Integers become `bigint`, floats `number`. Throws for other types.
 */
export function readMarshal(bytes: Uint8Array): MarshalValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const int = (): number => {
    at += 4
    return view.getInt32(at - 4, true)
  }
  const part = (): Uint8Array => {
    const length = int()
    at += length
    return bytes.subarray(at - length, at)
  }
  const value = (): MarshalValue => {
    const type = bytes[at++]
    switch (type) {
      case NONE:
        return null
      case TRUE:
        return true
      case FALSE:
        return false
      case INT:
        return BigInt(int())
      case LONG: {
        const count = int()
        let result = 0n
        for (let index = Math.abs(count) - 1; index >= 0; index -= 1)
          result = (result << DIGIT_BITS) | BigInt(view.getUint16(at + index * 2, true))
        at += Math.abs(count) * 2
        return count < 0 ? -result : result
      }
      case FLOAT:
        at += 8
        return view.getFloat64(at - 8, true)
      case BYTES:
        return part()
      case TEXT:
      case INTERNED:
        return new MarshalText(part())
      case TUPLE:
      case LIST:
        return Array.from({ length: int() }, value)
      case undefined:
      default:
        throw new Error(`marshal has the type ${type}`)
    }
  }
  return value()
}

/** Encodes values for `marshal.loads`. */
export class MarshalWriter {
  #bytes = new Uint8Array(4_096)
  #view = new DataView(this.#bytes.buffer)
  #at = 0

  get length(): number {
    return this.#at
  }

  /** Returns a view of the encoded bytes. */
  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  #reserve(length: number): number {
    if (this.#at + length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + length))
      grown.set(this.#bytes.subarray(0, this.#at))
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    this.#at += length
    return this.#at - length
  }

  #byte(type: number | undefined): void {
    const at = this.#reserve(1)
    this.#bytes[at] = type ?? 0
  }

  #head(type: number | undefined, size: number): void {
    const at = this.#reserve(5)
    this.#bytes[at] = type ?? 0
    this.#view.setInt32(at + 1, size, true)
  }

  none(): void {
    this.#byte(NONE)
  }

  float(value: number): void {
    const at = this.#reserve(9)
    this.#bytes[at] = FLOAT ?? 0
    this.#view.setFloat64(at + 1, value, true)
  }

  int(value: bigint): void {
    if (value === BigInt.asIntN(32, value)) {
      this.#head(INT, Number(value))
      return
    }
    const digits: number[] = []
    for (let left = value < 0n ? -value : value; left > 0n; left >>= DIGIT_BITS)
      digits.push(Number(left & DIGIT_MASK))
    this.#head(LONG, value < 0n ? -digits.length : digits.length)
    for (const digit of digits) {
      const at = this.#reserve(2)
      this.#view.setUint16(at, digit, true)
    }
  }

  bytes(bytes: Uint8Array): void {
    this.#head(BYTES, bytes.length)
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** `bytes` must be UTF-8. */
  text(bytes: Uint8Array): void {
    this.#head(TEXT, bytes.length)
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** Writes the head of a tuple. The items must follow. */
  tuple(length: number): void {
    this.#head(TUPLE, length)
  }

  /** Writes the head of a list, whose length is passed to `close`. The items must follow. */
  list(): { readonly close: (length: number) => void } {
    this.#head(LIST, 0)
    const at = this.#at - 4
    return { close: (length) => this.#view.setInt32(at, length, true) }
  }

  value(value: MarshalValue): void {
    if (value === null) this.none()
    else if (typeof value === 'boolean') this.#byte(value ? TRUE : FALSE)
    else if (typeof value === 'bigint') this.int(value)
    else if (typeof value === 'number') this.int(BigInt(value))
    else if (typeof value === 'string') this.text(new TextEncoder().encode(value))
    else if (value instanceof MarshalText) this.text(value.bytes)
    else if (value instanceof Uint8Array) this.bytes(value)
    else {
      this.tuple(value.length)
      for (const item of value) this.value(item)
    }
  }
}
