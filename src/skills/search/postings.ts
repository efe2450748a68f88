// Posting lists: which terms occur in which documents, and their weights. They are typed arrays, which take
// only a few megabytes for ten thousand skills.

const INITIAL_LENGTH = 1 << 17
/** Numbers per term in `#state`. The fourth is unused, so that no term crosses a cache line. */
const STATE_LENGTH = 4

/** Collects postings document by document. `finish` returns them sorted. */
export class PostingsBuilder {
  /** For each term: the position of its newest posting, that posting's document plus 1, and its number of postings. */
  #state = new Int32Array(INITIAL_LENGTH)
  #termCount = 0
  #terms = new Int32Array(INITIAL_LENGTH)
  #docs = new Int32Array(INITIAL_LENGTH)
  #weights = new Float32Array(INITIAL_LENGTH)
  #size = 0

  /** Adds a term to a document. Add documents in ascending order. A repeated term adds to its weight. */
  add(doc: number, id: number, weight: number): void {
    const state = id * STATE_LENGTH
    if (state >= this.#state.length) this.#state = copyInto(this.#state, new Int32Array(2 * state))
    if (id >= this.#termCount) this.#termCount = id + 1
    if (this.#state[state + 1] === doc + 1) {
      const newest = this.#state[state] ?? 0
      this.#weights[newest] = (this.#weights[newest] ?? 0) + weight
      return
    }
    const position = this.#size
    if (position === this.#docs.length) {
      this.#terms = copyInto(this.#terms, new Int32Array(2 * position))
      this.#docs = copyInto(this.#docs, new Int32Array(2 * position))
      this.#weights = copyInto(this.#weights, new Float32Array(2 * position))
    }
    this.#state[state] = position
    this.#state[state + 1] = doc + 1
    this.#state[state + 2] = (this.#state[state + 2] ?? 0) + 1
    this.#terms[position] = id
    this.#docs[position] = doc
    this.#weights[position] = weight
    this.#size = position + 1
  }

  /** The postings sorted by term, and by document within a term. Uses a counting sort. */
  finish(): Postings {
    const starts = new Int32Array(this.#termCount + 1)
    for (let id = 0; id < this.#termCount; id++)
      starts[id + 1] = (starts[id] ?? 0) + (this.#state[id * STATE_LENGTH + 2] ?? 0)
    const next = starts.slice()
    const docs = new Int32Array(this.#size)
    const weights = new Float32Array(this.#size)
    for (let from = 0; from < this.#size; from++) {
      const id = this.#terms[from] ?? 0
      const to = next[id] ?? 0
      next[id] = to + 1
      docs[to] = this.#docs[from] ?? 0
      weights[to] = this.#weights[from] ?? 0
    }
    return { starts, docs, weights }
  }
}

function copyInto<T extends Int32Array | Float32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

export interface Postings {
  /** The postings of a term begin at `starts[id]` and end before `starts[id + 1]`. */
  readonly starts: Int32Array
  readonly docs: Int32Array
  readonly weights: Float32Array
}
