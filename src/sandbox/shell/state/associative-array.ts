// An associative array whose keys are iterated in the order of bash's hash table.

import { encode } from '../../commands/io/text.ts'

/** The number of buckets, and when and by how much it grows, as in bash 5.2. */
const BUCKETS = 1_024
/** The number of buckets if the variable had a text before. */
export const BUCKETS_OF_CONVERTED = 128
const ENTRIES_PER_BUCKET = 2
const GROWTH = 4

export class AssociativeArray {
  readonly #values: Map<string, string>
  #buckets: number
  /** The keys in order; null after a key was added or removed. */
  #keys: readonly string[] | null = null
  /** Whether the variable was declared without assigning anything, not even an empty list. */
  isBare = false

  constructor(values: Map<string, string> = new Map(), buckets = BUCKETS) {
    this.#values = values
    this.#buckets = buckets
  }

  get size(): number {
    return this.#values.size
  }

  /** Returns an empty array with the same number of buckets. */
  emptied(): AssociativeArray {
    return new AssociativeArray(new Map(), this.#buckets)
  }

  get(key: string): string | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: string): void {
    this.isBare = false
    if (!this.#values.has(key)) {
      this.#keys = null
      if (this.#values.size >= this.#buckets * ENTRIES_PER_BUCKET) this.#buckets *= GROWTH
    }
    this.#values.set(key, value)
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#keys = null
  }

  keys(): readonly string[] {
    this.#keys ??= this.#sorted()
    return this.#keys
  }

  values(): string[] {
    return this.keys().map((key) => this.#values.get(key) ?? '')
  }

  copy(): AssociativeArray {
    const copy = new AssociativeArray(new Map(this.#values), this.#buckets)
    copy.#keys = this.#keys
    copy.isBare = this.isBare
    return copy
  }

  /** Sorts keys by bucket. Within a bucket, the last added key comes first. */
  #sorted(): string[] {
    const keys = [...this.#values.keys()].map((key, added) => ({
      key,
      added,
      bucket: hash(key) % this.#buckets,
    }))
    return keys.sort((a, b) => a.bucket - b.bucket || b.added - a.added).map(({ key }) => key)
  }
}

/** FNV-1 with signed characters, as in bash. */
function hash(key: string): number {
  let value = 2_166_136_261
  for (const byte of encode(key)) value = (Math.imul(value, 16_777_619) ^ ((byte << 24) >> 24)) >>> 0
  return value
}
