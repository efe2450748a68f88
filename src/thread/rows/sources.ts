// The sources of the untrusted content in this thread: a set that only grows, each with the first message
// that brought it into the thread. Does not judge what that means.

export class Sources {
  readonly #sql: SqlStorage
  #firstMessages: Map<string, number> | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#firstMessages = null
  }

  #read(): Map<string, number> {
    this.#firstMessages ??= new Map(
      Array.from(
        this.#sql.exec<{ source: string; message: number }>(
          'SELECT source, message FROM untrusted ORDER BY source',
        ),
        ({ source, message }) => [source, message],
      ),
    )
    return this.#firstMessages
  }

  /** All sources, read from the rows on first use. */
  get all(): readonly string[] {
    return [...this.#read().keys()]
  }

  /**
   * Number of the first message that contains content of a matching source or whose calls returned it; null
   * if there is none.
   */
  firstMessageOf(matches: (source: string) => boolean): number | null {
    const messages = [...this.#read()].flatMap(([source, message]) => (matches(source) ? [message] : []))
    return messages.length === 0 ? null : Math.min(...messages)
  }

  /**
   * Adds sources. Must be called in the block that writes the content, which is in this message or comes from
   * its calls. Writes only new sources.
   */
  add(sources: readonly string[], message: number): void {
    for (const source of sources) {
      if (this.#read().has(source)) continue
      this.#sql.exec('INSERT INTO untrusted (source, message) VALUES (?, ?)', source, message)
      this.#read().set(source, message)
    }
  }
}
