// A cache with a maximum size and age. The oldest entry is removed first.

export class ExpiringCache<T> {
  readonly #maxEntries: number
  readonly #maxAgeMs: number
  readonly #entries = new Map<string, { readonly value: T; readonly setAt: number }>()

  constructor(maxEntries: number, maxAgeMs: number) {
    this.#maxEntries = maxEntries
    this.#maxAgeMs = maxAgeMs
  }

  /** `now` is in epoch milliseconds, here and in `set`. */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    // The clock may have been set back, so the age is compared by its absolute value.
    if (entry && Math.abs(now - entry.setAt) < this.#maxAgeMs) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: T, now: number): void {
    this.#entries.delete(key)
    const oldest = this.#entries.keys().next()
    if (this.#entries.size >= this.#maxEntries && !oldest.done) this.#entries.delete(oldest.value)
    this.#entries.set(key, { value, setAt: now })
  }

  clear(): void {
    this.#entries.clear()
  }
}
