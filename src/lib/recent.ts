// A cache with a maximum size and age. The oldest entry is removed first.

export class Recent<T> {
  readonly #max: number
  readonly #forMs: number
  readonly #kept = new Map<string, { readonly value: T; readonly at: number }>()

  constructor(max: number, forMs: number) {
    this.#max = max
    this.#forMs = forMs
  }

  /** `now` is in epoch milliseconds, here and in `set`. */
  get(key: string, now: number): T | undefined {
    const known = this.#kept.get(key)
    // Math.abs, because the clock may have been set back.
    if (known && Math.abs(now - known.at) < this.#forMs) return known.value
    this.#kept.delete(key)
    return undefined
  }

  set(key: string, value: T, now: number): void {
    this.#kept.delete(key)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size >= this.#max && !oldest.done) this.#kept.delete(oldest.value)
    this.#kept.set(key, { value, at: now })
  }

  clear(): void {
    this.#kept.clear()
  }
}
