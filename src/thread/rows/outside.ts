// Where the outside text came from that stands in this thread, as a set that only grows. Never judges what that means.

export class Sources {
  readonly #sql: SqlStorage
  #all: Set<string> | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#all = null
  }

  #read(): Set<string> {
    this.#all ??= new Set(
      Array.from(
        this.#sql.exec<{ source: string }>('SELECT source FROM outside ORDER BY source'),
        ({ source }) => source,
      ),
    )
    return this.#all
  }

  /** Read when it is first asked for. */
  get all(): readonly string[] {
    return [...this.#read()]
  }

  /** In one block with the text. Writes what is new. */
  add(sources: readonly string[]): void {
    for (const source of sources) {
      if (this.#read().has(source)) continue
      this.#sql.exec('INSERT INTO outside (source) VALUES (?)', source)
      this.#read().add(source)
    }
  }
}
