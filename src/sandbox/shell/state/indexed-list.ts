// An indexed array, which may have gaps.

export class IndexedList {
  readonly #values: Map<number, string>
  /** The indexes in ascending order; null if one was added out of order or removed. */
  #indices: number[] | null
  /** Whether the variable was declared without assigning anything, not even an empty list. */
  isBare = false

  constructor(values: readonly string[] = []) {
    this.#values = new Map(values.entries())
    this.#indices = [...this.#values.keys()]
  }

  get size(): number {
    return this.#values.size
  }

  get(index: number): string | undefined {
    return this.#values.get(index)
  }

  set(index: number, value: string): void {
    this.isBare = false
    if (!this.#values.has(index) && this.#indices) {
      if (index > (this.#indices.at(-1) ?? -1)) this.#indices.push(index)
      else this.#indices = null
    }
    this.#values.set(index, value)
  }

  delete(index: number): void {
    if (!this.#values.delete(index) || !this.#indices) return
    if (this.#indices.at(-1) === index) this.#indices.pop()
    else this.#indices = null
  }

  indices(): readonly number[] {
    this.#indices ??= [...this.#values.keys()].sort((a, b) => a - b)
    return this.#indices
  }

  values(): string[] {
    return this.indices().map((index) => this.#values.get(index) ?? '')
  }

  /** One more than the highest index. */
  get end(): number {
    return (this.indices().at(-1) ?? -1) + 1
  }

  copy(): IndexedList {
    const copy = new IndexedList()
    copy.isBare = this.isBare
    for (const index of this.indices()) copy.set(index, this.#values.get(index) ?? '')
    return copy
  }
}
