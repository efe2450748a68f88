// Counts characters of UTF-8, for `wc -m`. Bytes that are no text do not count.

import { concat } from '../io/bytes.ts'
import { decode } from '../io/text.ts'

const CHARACTERS = /[^\u{dc80}-\u{dcff}]/gu
const LONGEST = 4

/** Cuts chunks between characters. */
export class Whole {
  /** The beginning of a character that may go on in the next chunk. */
  #open = new Uint8Array()

  /** The bytes up to the last whole character. */
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
