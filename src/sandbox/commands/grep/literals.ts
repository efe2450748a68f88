// Finds the longest of many fixed strings at the leftmost place.

export class Literals {
  /** By their first character, longest first. */
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

/** Characters by which texts are looked up. */
const START = 3
