// Counts UTF-8 characters, for `wc -m`. Invalid bytes do not count.

import { concat } from '../io/bytes.ts'
import { decode } from '../io/text.ts'

const CHARACTERS = /[^\u{dc80}-\u{dcff}]/gu
const LONGEST = 4

/** Splits chunks at character boundaries. */
export class Whole {
  /** The incomplete character at the end of the last chunk. */
  #open = new Uint8Array()

  /** Returns the bytes up to the last complete character. */
  add(chunk: Uint8Array): Uint8Array {
    const bytes = this.#open.length === 0 ? chunk : concat([this.#open, chunk])
    let end = bytes.length
    for (let back = 1; back < LONGEST && back <= bytes.length; back++) {
      const byte = bytes[bytes.length - back] ?? 0
      if (byte < 0x80) break
      if (byte < 0xc0) continue
      if (back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2)) end = bytes.length - back
      break
    }
    this.#open = bytes.slice(end)
    return bytes.subarray(0, end)
  }

  end(): Uint8Array {
    return this.#open
  }
}

export class Characters {
  readonly #whole = new Whole()
  #count = 0

  add(chunk: Uint8Array): void {
    this.#count += countIn(this.#whole.add(chunk))
  }

  end(): number {
    return this.#count + countIn(this.#whole.end())
  }
}

function countIn(bytes: Uint8Array): number {
  return decode(bytes).match(CHARACTERS)?.length ?? 0
}
