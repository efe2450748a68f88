// Collects the output of a guest up to a limit, and streams it as text while the guest runs.

import { SANDBOX_PROGRESS_MAX_CHARS } from '../../limits/sandbox.ts'
import { Killed } from './stop.ts'

/** Text is streamed after this interval, or when this much is waiting. */
const BATCH_MS = 200
const BATCH_CHARS = 8_192

type Progress = (text: string) => Promise<void>

export class GuestOutput {
  readonly #cap: number
  readonly #progress: Progress | null
  /** Batches that have not been delivered yet. */
  readonly #undelivered = new Set<Promise<void>>()
  /** How many more characters are streamed; clients do not show more. */
  #left = SANDBOX_PROGRESS_MAX_CHARS
  readonly #now: () => number
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  readonly #chunks: { readonly stdout: Uint8Array[]; readonly stderr: Uint8Array[] } = {
    stdout: [],
    stderr: [],
  }
  #bytes = 0
  #text = ''
  #sentMs: number

  /** If `progress` is null, output is not streamed. */
  constructor(cap: number, progress: Progress | null, now: () => number) {
    this.#cap = cap
    this.#progress = progress
    this.#now = now
    this.#sentMs = now()
  }

  /** Stores a copy of `bytes`. Throws `Killed` if the total exceeds the limit. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    const kept = bytes.slice(0, this.#cap - this.#bytes)
    this.#chunks[stream].push(kept)
    this.#bytes += kept.length
    if (this.#progress && this.#left > 0) {
      this.#text += this.#decoders[stream].decode(kept, { stream: true })
      if (this.#text.length >= BATCH_CHARS) this.flush()
    }
    if (kept.length < bytes.length) throw new Killed('output')
  }

  /** Appends a message from Satchel, even if it exceeds the limit. */
  add(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#chunks[stream].push(bytes)
    this.#text += new TextDecoder().decode(bytes)
  }

  /** Streams the waiting text if the interval is over, or immediately if `now` is true. */
  flush(now = true): void {
    if (this.#text === '' || (!now && this.#now() - this.#sentMs < BATCH_MS)) return
    const delivery = (this.#progress?.(this.#text.slice(0, this.#left)) ?? Promise.resolve())
      // A caller that stops listening misses nothing, because the result contains all output.
      .catch(() => {})
      .finally(() => this.#undelivered.delete(delivery))
    this.#undelivered.add(delivery)
    this.#left -= this.#text.length
    this.#text = ''
    this.#sentMs = this.#now()
  }

  /** Streams the remaining text, and waits until all batches are delivered. */
  async end(): Promise<void> {
    this.flush()
    await Promise.all(this.#undelivered)
  }

  all(stream: 'stdout' | 'stderr'): Uint8Array {
    const chunks = this.#chunks[stream]
    const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
    let at = 0
    for (const chunk of chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    return all
  }
}
