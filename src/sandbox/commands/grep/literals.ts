// Finds the leftmost of many fixed strings, and the longest of those at the same position.

export class Literals {
  /** The strings by their first characters, longest first. */
  readonly #byStart = new Map<string, string[]>()
  readonly #all: ReadonlySet<string>

  constructor(texts: readonly string[]) {
    this.#all = new Set(texts)
    for (const text of [...this.#all].toSorted((one, other) => other.length - one.length)) {
      const start = text.slice(0, START)
      const list = this.#byStart.get(start)
      if (list) list.push(text)
      else this.#byStart.set(start, [text])
    }
  }

  has(line: string): boolean {
    return this.#all.has(line)
  }

  find(line: string, from: number): readonly [start: number, end: number] | null {
    for (let at = from; at <= line.length; at++) {
      let found: string | undefined
      for (let length = START; length >= 0 && found === undefined; length--)
        found = this.#byStart
          .get(line.slice(at, at + length))
          ?.find((text) => (length === START || text.length === length) && line.startsWith(text, at))
      if (found !== undefined) return [at, at + found.length]
    }
    return null
  }
}

/** Number of characters by which strings are looked up. */
const START = 3
