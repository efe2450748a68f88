// The bytes of an archive in the blocks that they came in, given up as they are read: an upload and all that is in it
// would not fit an isolate together.

import { joinBytes } from '../../lib/bytes.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'

export class Blocks {
  readonly length: number
  /** With where each begins; null once it was given up. */
  readonly #blocks: { readonly from: number; bytes: Uint8Array | null }[] = []
  #first = 0

  /** Takes the parts over: whoever keeps one keeps its memory. */
  constructor(parts: Iterable<Uint8Array>) {
    let at = 0
    for (const bytes of parts) {
      if (bytes.length === 0) continue
      this.#blocks.push({ from: at, bytes })
      at += bytes.length
    }
    this.length = at
  }

  /** A view where the bytes lie in one block, a copy otherwise. What was given up, and what is not there, is no byte. */
  slice(from: number, to: number): Uint8Array {
    const parts: Uint8Array[] = []
    for (let index = this.#indexOf(from); index < this.#blocks.length; index++) {
      const block = this.#blocks[index]
      if (!block || block.from >= to) break
      if (block.bytes) parts.push(block.bytes.subarray(Math.max(0, from - block.from), to - block.from))
    }
    const [only, other] = parts
    return only && !other ? only : joinBytes(parts)
  }

  /** Gives up every block that ends at or before `to`. */
  release(to: number): void {
    for (; this.#first < this.#blocks.length; this.#first++) {
      const block = this.#blocks[this.#first]
      if (!block?.bytes || block.from + block.bytes.length > to) return
      block.bytes = null
    }
  }

  /** In order; gives up what lies before the piece that was asked for last. */
  *pieces(from: number, to: number): Generator<Uint8Array> {
    for (let at = from; at < to; at += INFLATE_PIECE_BYTES) {
      this.release(at)
      yield this.slice(at, Math.min(to, at + INFLATE_PIECE_BYTES))
    }
  }

  /** Of the block that holds the byte at `place`. */
  #indexOf(place: number): number {
    let [low, high] = [0, this.#blocks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#blocks[middle]?.from ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}
