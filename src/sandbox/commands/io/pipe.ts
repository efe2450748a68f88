// A pipe between two commands that run concurrently. It holds a limited number of bytes.

import type { ByteReader } from './reader.ts'
import { BrokenPipe } from './writer.ts'

/** Number of bytes that a pipe holds before its writer has to wait. */
const PIPE_BYTES = 262_144
/** Number of bytes that a pipe holds on Linux. */
const KERNEL_BYTES = 65_536

export class Pipe implements ByteReader {
  #chunks: Uint8Array[] = []
  #bytes = 0
  #sent = 0
  #ended = false
  #closed = false
  #readers: (() => void)[] = []
  #writers: (() => void)[] = []

  /**
   * Resolves when the reader has caught up. Throws a `BrokenPipe` once the reader has closed the pipe, except for the
   * first bytes, which a real writer would have written before its reader ends.
   */
  async send(chunk: Uint8Array): Promise<void> {
    this.#sent += chunk.length
    if (this.#closed && this.#sent <= KERNEL_BYTES) return
    if (this.#closed) throw new BrokenPipe()
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#wake(this.#readers)
    for (;;) {
      const space = this.#waitForSpace()
      if (!space) break
      await space
    }
    if (this.#closed && this.#sent > KERNEL_BYTES) throw new BrokenPipe()
  }

  /** Called when the writer has ended. */
  end(): void {
    this.#ended = true
    this.#wake(this.#readers)
  }

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk) {
        this.#bytes -= chunk.length
        this.#wake(this.#writers)
        return chunk
      }
      if (this.#ended || this.#closed) return null
      await new Promise<void>((resolve) => this.#readers.push(resolve))
    }
  }

  close(): void {
    this.#closed = true
    this.#chunks = []
    this.#bytes = 0
    this.#wake(this.#writers)
    this.#wake(this.#readers)
  }

  /**
   * Returns null if there is space now. Do not split this function: between a check and a promise created elsewhere,
   * other work may run.
   */
  #waitForSpace(): Promise<void> | null {
    if (this.#bytes <= PIPE_BYTES || this.#closed) return null
    return new Promise((resolve) => this.#writers.push(resolve))
  }

  #wake(waiting: (() => void)[]): void {
    for (const resume of waiting.splice(0)) resume()
  }
}
