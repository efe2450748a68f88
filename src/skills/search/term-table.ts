// Numbers for words, found without cutting them out of their text: cutting and hashing strings was most of the time
// that an index took to build. A word is known by two hashes of 32 bits; its letters are not compared again.

const START = 1 << 14
// Both are carried along by whoever reads the letters of a word anyway: FNV-1a, and a sum with another factor.
export const HASH_START = 0x81_1c_9d_c5 | 0
const PRIME = 0x01_00_01_93
const FACTOR = 0x9e_37_79_b1 | 0

export function hashNext(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, PRIME)
}

export function checkNext(check: number, letter: number): number {
  return Math.imul(check + letter + 1, FACTOR)
}

export class TermTable {
  /** By hash, probed one after the other: number + 1, or 0 for a free place. */
  #slots = new Int32Array(START)
  /** By number: hash and check, side by side. */
  #hashes = new Int32Array(2 * START)
  readonly #terms: string[] = []

  get terms(): readonly string[] {
    return this.#terms
  }

  /** The number of `text` from `from` to before `to`, whose hashes are known; a new one for a word that was not met. */
  at(text: string, from: number, to: number, hash: number, check: number): number {
    const known = this.#probe(hash, check)
    if (known >= 0) return known
    const id = this.#terms.length
    if (2 * id >= this.#slots.length) this.#grow()
    this.#terms.push(text.slice(from, to))
    this.#hashes[2 * id] = hash
    this.#hashes[2 * id + 1] = check
    this.#place(hash, id)
    return id
  }

  id(word: string): number {
    return this.at(word, 0, word.length, hashOf(word, HASH_START, hashNext), hashOf(word, 0, checkNext))
  }

  /** -1 for a word that was not met. */
  find(word: string): number {
    return this.#probe(hashOf(word, HASH_START, hashNext), hashOf(word, 0, checkNext))
  }

  #probe(hash: number, check: number): number {
    const slots = this.#slots
    const hashes = this.#hashes
    const mask = slots.length - 1
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] ?? 0) - 1
      if (id < 0) return -1
      if (hashes[2 * id] === hash && hashes[2 * id + 1] === check) return id
    }
  }

  #place(hash: number, id: number): void {
    const mask = this.#slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = id + 1
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 4)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    this.#slots = new Int32Array(this.#slots.length * 4)
    for (let id = 0; id < this.#terms.length; id++) this.#place(hashes[2 * id] ?? 0, id)
  }
}

function hashOf(word: string, start: number, next: (hash: number, letter: number) => number): number {
  let hash = start
  for (let at = 0; at < word.length; at++) hash = next(hash, word.charCodeAt(at))
  return hash
}
