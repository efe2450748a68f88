// Tracks how much memory the files written by a job take. If it is too much, moves the contents of the largest files
// to the host.

import type { HostPiece } from '../guest.ts'
import type { FileEntry } from './entries.ts'
import { BASH_KEPT_PART_BYTES, BASH_WRITTEN_IN_MEMORY_MAX_BYTES } from './limits.ts'

/** Stores bytes on the host; null if the host stores nothing. Rejects with a Refusal if there is no space. */
export type Keep = ((bytes: Uint8Array) => Promise<HostPiece>) | null

export class Written {
  readonly #keep: Keep
  /** Bytes in memory, by file. */
  readonly #files = new Map<FileEntry, number>()
  #bytes = 0
  #sending: Promise<void> | null = null

  constructor(keep: Keep) {
    this.#keep = keep
  }

  add(entry: FileEntry): void {
    const bytes = entry.bytes?.length ?? 0
    if (bytes === 0) return
    this.#files.set(entry, bytes)
    this.#bytes += bytes
  }

  remove(entry: FileEntry): void {
    this.#bytes -= this.#files.get(entry) ?? 0
    this.#files.delete(entry)
  }

  /** Resolves when memory use is within its limit. Nothing may be written in the meantime. */
  async settle(): Promise<void> {
    while (this.#sending || this.#bytes > BASH_WRITTEN_IN_MEMORY_MAX_BYTES) {
      if (!this.#keep) return
      this.#sending ??= this.#sendLargest(this.#keep).finally(() => (this.#sending = null))
      await this.#sending
    }
  }

  async #sendLargest(keep: NonNullable<Keep>): Promise<void> {
    let largest: FileEntry | null = null
    for (const [entry, bytes] of this.#files)
      if (!largest || bytes > (this.#files.get(largest) ?? 0)) largest = entry
    if (!largest) return
    const bytes = largest.bytes ?? new Uint8Array()
    const pieces = [...largest.pieces]
    for (let at = 0; at < bytes.length; at += BASH_KEPT_PART_BYTES)
      // Copy the part, because sending a view would send the whole buffer.
      pieces.push(await keep(bytes.slice(at, at + BASH_KEPT_PART_BYTES)))
    this.remove(largest)
    largest.pieces = pieces
    largest.bytes = new Uint8Array()
  }
}
