// The bytes of an archive, in the blocks in which they arrived. Blocks are released once they have been read, because
// an upload and its extracted content together could exceed an isolate's memory.

import { joinBytes } from '../../lib/bytes.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'

export class Blocks {
  readonly length: number
  /** The blocks, each with its offset. `bytes` is null once the block has been released. */
  readonly #blocks: { readonly from: number; bytes: Uint8Array | null }[] = []
  #first = 0

  /** Memory is freed only if the caller keeps no references to the parts. */
  constructor(parts: Iterable<Uint8Array>) {
    let pieceOffset = 0
    for (const bytes of parts) {
      if (bytes.length === 0) continue
      this.#blocks.push({ from: pieceOffset, bytes })
      pieceOffset += bytes.length
    }
    this.length = pieceOffset
  }

  /** A view if the bytes are in one block, otherwise a copy. Released and missing bytes are left out. */
  slice(from: number, to: number): Uint8Array {
    const parts: Uint8Array[] = []
    for (let index = this.#indexOf(from); index < this.#blocks.length; index++) {
      const block = this.#blocks[index]
      if (!block || block.from >= to) break
      if (block.bytes) parts.push(block.bytes.subarray(Math.max(0, from - block.from), to - block.from))
    }
    const [firstPart, secondPart] = parts
    return firstPart && !secondPart ? firstPart : joinBytes(parts)
  }

  /** Releases every block that ends at or before `to`. */
  release(to: number): void {
    for (; this.#first < this.#blocks.length; this.#first++) {
      const block = this.#blocks[this.#first]
      if (!block?.bytes || block.from + block.bytes.length > to) return
      block.bytes = null
    }
  }

  /** Yields the bytes in pieces. Releases all bytes before the current piece. */
  *pieces(from: number, to: number): Generator<Uint8Array> {
    for (let pieceOffset = from; pieceOffset < to; pieceOffset += INFLATE_PIECE_BYTES) {
      this.release(pieceOffset)
      yield this.slice(pieceOffset, Math.min(to, pieceOffset + INFLATE_PIECE_BYTES))
    }
  }

  /** The index of the block with the byte at `offset`. */
  #indexOf(offset: number): number {
    let [low, high] = [0, this.#blocks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#blocks[middle]?.from ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}
