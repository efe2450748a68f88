// Modification times that the programs of a job share. They are discarded when the job ends.

import type { FileTime } from '../guest.ts'
import type { Entries, TreeEntry } from './entries.ts'

export class EntryTimes {
  readonly #entries: () => Entries
  readonly #known = new WeakSet<TreeEntry>()

  constructor(entries: () => Entries) {
    this.#entries = entries
  }

  /** Records that the time of an entry was set. */
  set(entry: TreeEntry): void {
    this.#known.add(entry)
  }

  /** The times of entries that the job created, and times that were set explicitly. */
  all(): readonly FileTime[] {
    return [...this.#entries().each()].flatMap(([path, entry]): readonly FileTime[] =>
      entry.kind !== 'link' && (entry.isOwn || this.#known.has(entry)) ? [[path, entry.mtime.getTime()]] : [],
    )
  }

  /** Applies the times that a program set. */
  apply(times: readonly FileTime[] = []): void {
    for (const [path, ms] of times) {
      const entries = this.#entries()
      const entry = entries.get(entries.resolve(path, true))
      if (!entry || entry.kind === 'link' || entry.mtime.getTime() === ms) continue
      entry.mtime = new Date(ms)
      this.#known.add(entry)
    }
  }
}
