// A shell's output: streamed in batches, counted against the limit, and returned as a whole at the end.

import { concat } from '../commands/io/bytes.ts'
import type { OutputStream } from '../write-order.ts'
import { BASH_PROGRESS_BYTES } from './limits.ts'

export class ShellOutput {
  readonly #maxBytes: number
  readonly #send: (text: string) => Promise<void>
  readonly #onLimit: () => void
  readonly #chunks: Readonly<Record<OutputStream, Uint8Array[]>> = { stdout: [], stderr: [] }
  /** A character may be written in two parts. */
  readonly #decoders: Readonly<Record<OutputStream, TextDecoder>> = {
    stdout: new TextDecoder(),
    stderr: new TextDecoder(),
  }
  #bytes = 0
  #pendingText = ''
  #finalMessage = ''
  #alreadyShown = false
  /** Batches that are not delivered yet. */
  readonly #undelivered = new Set<Promise<void>>()

  constructor(maxBytes: number, send: (text: string) => Promise<void>, onLimit: () => void) {
    this.#maxBytes = maxBytes
    this.#send = send
    this.#onLimit = onLimit
  }

  write(stream: OutputStream, bytes: Uint8Array): void {
    const bytesLeft = this.#maxBytes - this.#bytes
    this.#bytes += bytes.length
    if (bytes.length > bytesLeft) this.#onLimit()
    if (bytesLeft <= 0) return
    const kept = bytes.length > bytesLeft ? bytes.subarray(0, bytesLeft) : bytes
    this.#chunks[stream].push(kept)
    if (this.#alreadyShown) return
    this.#pendingText += this.#decoders[stream].decode(kept, { stream: true })
    if (this.#pendingText.length >= BASH_PROGRESS_BYTES) this.flush()
  }

  /** While `write` runs, output is collected but not streamed: a program streamed it itself. */
  async withoutStreaming(write: () => Promise<void>): Promise<void> {
    this.#alreadyShown = true
    try {
      await write()
    } finally {
      this.#alreadyShown = false
    }
  }

  /** Appends Satchel's own message to stderr, beyond the limit. */
  append(message: string): void {
    this.#finalMessage = message
  }

  flush(): void {
    if (this.#pendingText === '') return
    const delivery = this.#send(this.#pendingText)
      // A caller that stopped listening still gets the complete output in the result.
      .catch(() => {})
      .finally(() => this.#undelivered.delete(delivery))
    this.#undelivered.add(delivery)
    this.#pendingText = ''
  }

  /** Streams what is left and returns all output. */
  async end(): Promise<{ stdout: Uint8Array; stderr: Uint8Array }> {
    this.#pendingText += this.#finalMessage
    this.flush()
    await Promise.all(this.#undelivered)
    const message = new TextEncoder().encode(this.#finalMessage)
    return {
      stdout: concat(this.#chunks.stdout).slice(),
      stderr: concat([...this.#chunks.stderr, message]).slice(),
    }
  }
}
