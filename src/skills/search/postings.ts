// Which terms occur in which documents, and their weights, in typed arrays: ten thousand skills take a few megabytes.

const START = 1 << 17
/** Numbers per term. The fourth is unused, so that no term crosses a cache line. */
const STATE = 4

/** Filled document by document, then frozen by `done`. */
export class PostingsBuilder {
  /**
   * Per term, adjacent in memory: the position of its newest posting, that posting's document (+ 1), and the number of
   * postings.
   */
  #state = new Int32Array(START)
  #known = 0
  #terms = new Int32Array(START)
  #docs = new Int32Array(START)
  #weights = new Float32Array(START)
  #size = 0

  /** Add documents in ascending order. A repeated term adds to its weight. `id` numbers terms from 0. */
  add(doc: number, id: number, weight: number): void {
    const state = id * STATE
    if (state >= this.#state.length) this.#state = grown(this.#state, new Int32Array(2 * state))
    if (id >= this.#known) this.#known = id + 1
    if (this.#state[state + 1] === doc + 1) {
      const newest = this.#state[state] ?? 0
      this.#weights[newest] = (this.#weights[newest] ?? 0) + weight
      return
    }
    const at = this.#size
    if (at === this.#docs.length) {
      this.#terms = grown(this.#terms, new Int32Array(2 * at))
      this.#docs = grown(this.#docs, new Int32Array(2 * at))
      this.#weights = grown(this.#weights, new Float32Array(2 * at))
    }
    this.#state[state] = at
    this.#state[state + 1] = doc + 1
    this.#state[state + 2] = (this.#state[state + 2] ?? 0) + 1
    this.#terms[at] = id
    this.#docs[at] = doc
    this.#weights[at] = weight
    this.#size = at + 1
  }

  /** Sorted by term with a counting sort, and by document within a term. */
  done(): Postings {
    const starts = new Int32Array(this.#known + 1)
    for (let id = 0; id < this.#known; id++)
      starts[id + 1] = (starts[id] ?? 0) + (this.#state[id * STATE + 2] ?? 0)
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

function grown<T extends Int32Array | Float32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

export interface Postings {
  /** The postings of a term are from `starts[id]` to before `starts[id + 1]`. */
  readonly starts: Int32Array
  readonly docs: Int32Array
  readonly weights: Float32Array
}
