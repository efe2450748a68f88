// Reads the contents of files: small files of the host as a whole, which are cached, and large files in ranges.

import { bytesReader, type ByteReader } from '../commands/io/reader.ts'
import type { ByteRange } from '../guest.ts'
import type { FileEntry } from './entries.ts'
import { BASH_FILE_IN_MEMORY_MAX_BYTES, BASH_RANGE_MAX_BYTES } from './limits.ts'
import { rangeReader } from './range-reader.ts'
import { Refusal } from './refusal.ts'

const UNREADABLE = 'Input/output error'

export interface ContentsParts {
  /** How many bytes of the host's files are cached. */
  readonly cachedBytes: number
  /** Reads from the host; resolves to null if the host no longer has the file. */
  readonly read: (source: string, range?: ByteRange) => Promise<Uint8Array | null>
}

/** All methods that read throw a Refusal if the host no longer has the bytes. */
export class Contents {
  readonly #parts: ContentsParts
  /** Host files with cached bytes, the least recently read first. */
  readonly #cachedFiles = new Map<FileEntry, number>()
  #cachedBytes = 0
  /** Files that were emptied while they were open: their readers are at the end. */
  readonly #emptied = new WeakSet<FileEntry>()

  constructor(parts: ContentsParts) {
    this.#parts = parts
  }

  /** The whole content. Throws a Refusal if it is too large to hold in memory. */
  async bytesOf(entry: FileEntry): Promise<Uint8Array> {
    if (entry.pieces.length > 0) return this.#join(entry)
    if (entry.bytes) return entry.bytes
    const bytes = await this.#parts.read(entry.hostPath ?? '')
    if (!bytes) throw new Refusal(UNREADABLE)
    // The file may have been written while its bytes were read.
    entry.bytes ??= bytes
    if (entry.bytes !== bytes) return entry.bytes
    this.#cache(entry, bytes.length)
    return bytes
  }

  /** Reads the content from the byte `from` on, without holding all of it. */
  async open(entry: FileEntry, from = 0): Promise<ByteReader & { readonly size: number }> {
    if (entry.pieces.length > 0) {
      const { size } = entry
      const reader = rangeReader(from, size, async (start, end) => this.range(entry, start, end))
      return { ...this.#untilEmptied(entry, reader), size }
    }
    const bytes = await this.bytesOf(entry)
    return { ...this.#untilEmptied(entry, bytesReader(bytes.subarray(from))), size: bytes.length }
  }

  #untilEmptied(entry: FileEntry, reader: ByteReader): ByteReader {
    return { ...reader, read: async () => (this.#emptied.has(entry) ? null : reader.read()) }
  }

  /** For `tee f < f`: an empty file replaces this one, so readers of the old file must end. */
  emptied(entry: FileEntry): void {
    this.#emptied.add(entry)
  }

  /** The bytes `from` to `to` (exclusive). */
  async range(entry: FileEntry, from: number, to: number): Promise<Uint8Array> {
    if (entry.pieces.length === 0) return (await this.bytesOf(entry)).subarray(from, to)
    const end = Math.min(to, entry.size)
    if (end - from <= BASH_RANGE_MAX_BYTES) {
      const part = await this.#part(entry, from, end)
      if (part.length === end - from) return part
    }
    const bytes = new Uint8Array(Math.max(0, end - from))
    for (let at = 0; at < bytes.length;) {
      const part = await this.#part(entry, from + at, Math.min(end, from + at + BASH_RANGE_MAX_BYTES))
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  /** Stops counting the bytes of a file that is replaced or removed. */
  uncache(entry: FileEntry): void {
    const size = this.#cachedFiles.get(entry)
    if (size === undefined) return
    this.#cachedFiles.delete(entry)
    this.#cachedBytes -= size
  }

  async #join(entry: FileEntry): Promise<Uint8Array> {
    if (entry.size > BASH_FILE_IN_MEMORY_MAX_BYTES)
      throw new Refusal(
        `File too large: it has ${entry.size} bytes, and this command holds whole files, of up to ${BASH_FILE_IN_MEMORY_MAX_BYTES} bytes. Use head, tail or split to get a part`,
      )
    return this.range(entry, 0, entry.size)
  }

  /** Returns the bytes from `from` up to `to` or the end of the same piece: at least one. */
  async #part(entry: FileEntry, from: number, to: number): Promise<Uint8Array> {
    let start = 0
    for (const { source, offset, bytes } of entry.pieces) {
      const end = start + bytes
      if (from >= end) {
        start = end
        continue
      }
      const length = Math.min(to, end) - from
      const part = await this.#parts.read(source, { offset: offset + from - start, length })
      if (part?.length !== length) throw new Refusal(UNREADABLE)
      return part
    }
    return (entry.bytes ?? new Uint8Array()).subarray(from - start, to - start)
  }

  #cache(entry: FileEntry, bytes: number): void {
    this.#cachedFiles.set(entry, bytes)
    this.#cachedBytes += bytes
    for (const [oldest, size] of this.#cachedFiles) {
      if (this.#cachedBytes <= this.#parts.cachedBytes || oldest === entry) return
      this.#cachedFiles.delete(oldest)
      this.#cachedBytes -= size
      oldest.bytes = null
    }
  }
}
