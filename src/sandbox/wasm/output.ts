// Collects the output of a guest up to a limit, and streams it as text while the guest runs.

import { SANDBOX_PROGRESS_MAX_CHARS } from '../../limits/sandbox.ts'
import { WriteOrder, type OrderedOutput, type OutputStream } from '../write-order.ts'
import { Killed } from './stop.ts'

/** Text is streamed after this interval in ms, or when this many characters are waiting. */
const BATCH_MS = 200
const BATCH_CHARS = 8_192

type Progress = (text: string) => Promise<void>

export class GuestOutput {
  readonly #maxBytes: number
  readonly #progress: Progress | null
  /** Batches that have not been delivered yet. */
  readonly #undelivered = new Set<Promise<void>>()
  /** How many more characters may be streamed; clients do not show more. */
  #progressCharsLeft = SANDBOX_PROGRESS_MAX_CHARS
  readonly #now: () => number
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  readonly #chunks: { readonly stdout: Uint8Array[]; readonly stderr: Uint8Array[] } = {
    stdout: [],
    stderr: [],
  }
  readonly #order = new WriteOrder()
  #bytes = 0
  #pendingText = ''
  #sentAt: number

  /** If `progress` is null, output is not streamed. */
  constructor(maxBytes: number, progress: Progress | null, now: () => number) {
    this.#maxBytes = maxBytes
    this.#progress = progress
    this.#now = now
    this.#sentAt = now()
  }

  /** Stores a copy of `bytes`. Throws `Killed` if the total exceeds the limit. */
  write(stream: OutputStream, bytes: Uint8Array): void {
    const accepted = bytes.slice(0, this.#maxBytes - this.#bytes)
    this.#chunks[stream].push(accepted)
    this.#order.add(stream, accepted.length)
    this.#bytes += accepted.length
    if (this.#progress && this.#progressCharsLeft > 0) {
      this.#pendingText += this.#decoders[stream].decode(accepted, { stream: true })
      if (this.#pendingText.length >= BATCH_CHARS) this.flush()
    }
    if (accepted.length < bytes.length) throw new Killed('output')
  }

  /** Appends a message from Satchel, even if it exceeds the limit. */
  add(stream: OutputStream, bytes: Uint8Array): void {
    this.#chunks[stream].push(bytes)
    this.#order.add(stream, bytes.length)
    this.#pendingText += new TextDecoder().decode(bytes)
  }

  /** Streams the waiting text if the interval is over, or immediately if `now` is true. */
  flush(now = true): void {
    if (this.#pendingText === '' || (!now && this.#now() - this.#sentAt < BATCH_MS)) return
    const delivery = (
      this.#progress?.(this.#pendingText.slice(0, this.#progressCharsLeft)) ?? Promise.resolve()
    )
      // A caller that stops listening misses nothing, because the result contains all output.
      .catch(() => {})
      .finally(() => this.#undelivered.delete(delivery))
    this.#undelivered.add(delivery)
    this.#progressCharsLeft -= this.#pendingText.length
    this.#pendingText = ''
    this.#sentAt = this.#now()
  }

  /** Streams the remaining text, and waits until all batches are delivered. */
  async end(): Promise<void> {
    this.flush()
    await Promise.all(this.#undelivered)
  }

  get written(): OrderedOutput {
    return { stdout: this.#all('stdout'), stderr: this.#all('stderr'), order: this.#order.lengths }
  }

  #all(stream: OutputStream): Uint8Array {
    const chunks = this.#chunks[stream]
    const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
    let offset = 0
    for (const chunk of chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    return bytes
  }
}
