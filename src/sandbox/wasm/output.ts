// What a guest prints: kept as bytes up to a cap, and handed on as text while it runs.

import { SANDBOX_PROGRESS_CHARS } from '../../limits/sandbox.ts'
import { Killed } from './stop.ts'

/** Text is handed on this often at most, or when this much has come. */
const BATCH_MS = 200
const BATCH_CHARS = 8_192

type Progress = (text: string) => Promise<void>

export class GuestOutput {
  readonly #cap: number
  readonly #progress: Progress | null
  /** What is told and not yet heard. */
  readonly #told = new Set<Promise<void>>()
  /** Characters that are still handed on: nobody shows more. */
  #left = SANDBOX_PROGRESS_CHARS
  readonly #now: () => number
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  readonly #chunks: { readonly stdout: Uint8Array[]; readonly stderr: Uint8Array[] } = {
    stdout: [],
    stderr: [],
  }
  #bytes = 0
  #text = ''
  #saidMs: number

  /** `progress` null: nobody hears it while it runs. */
  constructor(cap: number, progress: Progress | null, now: () => number) {
    this.#cap = cap
    this.#progress = progress
    this.#now = now
    this.#saidMs = now()
  }

  /** Keeps a copy of `bytes`. Throws `Killed` when all together is more than the cap. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    const kept = bytes.slice(0, this.#cap - this.#bytes)
    this.#chunks[stream].push(kept)
    this.#bytes += kept.length
    if (this.#progress && this.#left > 0) {
      this.#text += this.#decoders[stream].decode(kept, { stream: true })
      if (this.#text.length >= BATCH_CHARS) this.say()
    }
    if (kept.length < bytes.length) throw new Killed('output')
  }

  /** Our own words, after the guest's; past the cap if need be. */
  add(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#chunks[stream].push(bytes)
    this.#text += new TextDecoder().decode(bytes)
  }

  /** Hands on what came since, when it is time; `now` does not wait for that. */
  say(now = true): void {
    if (this.#text === '' || (!now && this.#now() - this.#saidMs < BATCH_MS)) return
    const told = (this.#progress?.(this.#text.slice(0, this.#left)) ?? Promise.resolve())
      // Who does not hear it any more misses nothing: the result has all of it.
      .catch(() => {})
      .finally(() => this.#told.delete(told))
    this.#told.add(told)
    this.#left -= this.#text.length
    this.#text = ''
    this.#saidMs = this.#now()
  }

  /** Nothing more comes: hands on the rest, and waits until all was heard. */
  async end(): Promise<void> {
    this.say()
    await Promise.all(this.#told)
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
