// Reads one line at a time as Latin-1 text, for commands that read several files side by side.

import type { ByteReader } from './reader.ts'
import { byteLinesOf, type ByteLines } from './latin1.ts'

export class LineCursor {
  readonly #batches: AsyncGenerator<ByteLines>
  #lines: readonly string[] = []
  #at = 0

  constructor(reader: ByteReader, separator = '\n') {
    this.#batches = byteLinesOf(reader, separator)
  }

  /** The next line without its line end; null after the last. Returns a promise only if more input must be read. */
  next(): string | null | Promise<string | null> {
    const line = this.#lines[this.#at]
    if (line === undefined) return this.#more()
    this.#at++
    return line
  }

  async #more(): Promise<string | null> {
    const { value, done } = await this.#batches.next()
    if (done === true || value === undefined) return null
    this.#lines = value.lines
    this.#at = 1
    return this.#lines[0] ?? null
  }
}
