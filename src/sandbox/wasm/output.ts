// What a guest prints: kept as bytes up to a cap, and handed on as text while it runs.

import { Killed } from './stop.ts'

/** Text is handed on this often at most, or when this much has come. */
const BATCH_MS = 200
const BATCH_CHARS = 8_192

export class Output {
  readonly #cap: number
  readonly #progress: (text: string) => void
  readonly #now: () => number
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  readonly #chunks: { readonly stdout: Uint8Array[]; readonly stderr: Uint8Array[] } = {
    stdout: [],
    stderr: [],
  }
  #bytes = 0
  #text = ''
  #saidMs: number

  constructor(cap: number, progress: (text: string) => void, now: () => number) {
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
    this.#text += this.#decoders[stream].decode(kept, { stream: true })
    if (this.#text.length >= BATCH_CHARS) this.say()
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
    this.#progress(this.#text)
    this.#text = ''
    this.#saidMs = this.#now()
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
