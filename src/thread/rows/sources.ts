// Where the untrusted content came from that stands in this thread, as a set that only grows, each with the message that brought it
// first. Never judges what that means.

export class Sources {
  readonly #sql: SqlStorage
  #all: Map<string, number> | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#all = null
  }

  #read(): Map<string, number> {
    this.#all ??= new Map(
      Array.from(
        this.#sql.exec<{ source: string; message: number }>(
          'SELECT source, message FROM untrusted ORDER BY source',
        ),
        ({ source, message }) => [source, message],
      ),
    )
    return this.#all
  }

  /** Read when it is first asked for. */
  get all(): readonly string[] {
    return [...this.#read().keys()]
  }

  /** The number of the first message with text from a source of this kind, or whose calls brought it; null: there is none. */
  since(counts: (source: string) => boolean): number | null {
    const all = [...this.#read()].flatMap(([source, message]) => (counts(source) ? [message] : []))
    return all.length === 0 ? null : Math.min(...all)
  }

  /** In one block with the text, which is in this message, or comes of its calls. Writes what is new. */
  add(sources: readonly string[], message: number): void {
    for (const source of sources) {
      if (this.#read().has(source)) continue
      this.#sql.exec('INSERT INTO untrusted (source, message) VALUES (?, ?)', source, message)
      this.#read().set(source, message)
    }
  }
}
