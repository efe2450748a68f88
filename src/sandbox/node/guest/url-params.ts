// URLSearchParams: pairs of names and values, alone or as part of a URL.

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

/** Links `params` to the query `search`; `changed` is called on each change. */
export let attachParams: (params: URLSearchParams, search: string, changed: () => void) => void

export class URLSearchParams {
  #pairs: [string, string][] = []
  #changed: (() => void) | null = null

  constructor(init: unknown = '') {
    if (typeof init === 'string') this.#pairs = pairsOf(init)
    else if (typeof init === 'object' && init !== null) {
      // The casts are safe: `init` is an iterable of pairs, or a record.
      const pairs =
        Symbol.iterator in init
          ? [...(init as Iterable<Iterable<unknown>>)].map((pair) => [...pair])
          : Object.entries(init)
      this.#pairs = pairs.map(([name, value]) => [String(name), String(value)])
    }
  }

  static {
    attachParams = (params, search, changed) => {
      params.#pairs = pairsOf(search)
      params.#changed = changed
    }
  }

  get size(): number {
    return this.#pairs.length
  }

  append(name: unknown, value: unknown): void {
    this.#pairs.push([String(name), String(value)])
    this.#changed?.()
  }

  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter(
      ([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)),
    )
    this.#changed?.()
  }

  get(name: unknown): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(
      ([key, held]) => key === String(name) && (value === undefined || held === String(value)),
    )
  }

  set(name: unknown, value: unknown): void {
    const first = this.#pairs.find(([key]) => key === String(name))
    if (!first) return this.append(name, value)
    first[1] = String(value)
    this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== String(name))
    this.#changed?.()
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed?.()
  }

  forEach(call: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) call.call(self, value, name, this)
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }

  *keys(): Generator<string> {
    for (const [name] of this.#pairs) yield name
  }

  *values(): Generator<string> {
    for (const [, value] of this.#pairs) yield value
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${coderOf(name)}=${coderOf(value)}`).join('&')
  }

  [inspectSymbol](
    _depth: unknown,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const pairs = this.#pairs.map(
      ([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`,
    )
    return pairs.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${pairs.join(', ')} }`
  }
}

function pairsOf(search: string): [string, string][] {
  const text = search.startsWith('?') ? search.slice(1) : search
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [plain(part), ''] : [plain(part.slice(0, at)), plain(part.slice(at + 1))]
    })
}

function plain(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced.replace(/(?:%[\da-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return '\ufffd'
      }
    })
  }
}

function coderOf(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
