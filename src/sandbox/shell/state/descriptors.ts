// Open files: what file descriptors refer to.

import type { ByteReader } from '../../commands/io/reader.ts'
import { encode } from '../../commands/io/text.ts'
import { concat } from '../../commands/io/bytes.ts'

/** What several file descriptors may share. */
export interface Descriptor {
  readonly input: InputStream | null
  /** The path of the file, without links; missing for anything else. */
  readonly file?: string
  /** Set for what `test` tells from a file: a pipe, or a device such as `/dev/null`. */
  readonly kind?: 'pipe' | 'device'
  /** Writes bytes. Await the result when there is one. Throws a `BrokenPipe` if nobody reads any more. */
  readonly write: ((bytes: Uint8Array) => Promise<void> | undefined) | null
  /** Nothing follows. */
  close(): Promise<void>
}

export type Descriptors = Map<number, Descriptor>

/** Input that several commands read one after another: each reads what the previous ones left. */
export class InputStream implements ByteReader {
  readonly #reader: ByteReader
  #waiting: Uint8Array | null = null
  #ended = false
  #begun = false
  /** A read that somebody stopped waiting for: the next reader gets what it brings. */
  #pending: Promise<Uint8Array | null> | null = null
  /** Whether it is a file, whose bytes may be put back. */
  readonly seekable: boolean

  constructor(reader: ByteReader, seekable: boolean) {
    this.#reader = reader
    this.seekable = seekable
  }

  /** What a command reads. Only the first one knows how much there is. */
  get reader(): ByteReader {
    const reader = { read: async () => this.read(), close: () => this.close() }
    const { size } = this.#reader
    return this.#begun || size === undefined ? reader : { ...reader, size }
  }

  async read(): Promise<Uint8Array | null> {
    if (this.#waiting) {
      const chunk = this.#waiting
      this.#waiting = null
      return chunk
    }
    this.#begun = true
    if (this.#ended) return null
    const reading = this.#pending ?? this.#reader.read()
    this.#pending = null
    const chunk = await reading
    if (!chunk) this.#ended = true
    return chunk
  }

  /** Resolves to whether there is something to read, or the end, before a promise resolves. */
  async #readyBefore(deadline: Promise<void>): Promise<boolean> {
    if (this.#waiting || this.#ended) return true
    this.#begun = true
    this.#pending ??= this.#reader.read()
    // A failure is thrown to who reads next.
    this.#pending.catch(() => {})
    return Promise.race([this.#pending.then(() => true), deadline.then(() => false)])
  }

  /** Puts back the end of what was read. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#waiting = this.#waiting ? concat([bytes, this.#waiting]) : bytes
  }

  /**
   * Bytes up to `delimiter`, which is consumed and not returned, or at most `limit` bytes. `ended`: the input ended
   * first, or `deadline` came (`late`).
   */
  async readUntil(
    delimiter: number,
    limit = Infinity,
    deadline: Promise<void> | null = null,
  ): Promise<{ bytes: Uint8Array; ended: boolean; late?: true }> {
    const chunks: Uint8Array[] = []
    let length = 0
    for (;;) {
      if (deadline && !(await this.#readyBefore(deadline)))
        return { bytes: concat(chunks), ended: true, late: true }
      const chunk = await this.read()
      if (!chunk) return { bytes: concat(chunks), ended: true }
      const end = chunk.indexOf(delimiter)
      const rest = limit - length
      if (end !== -1 && end < rest) {
        this.unread(chunk.subarray(end + 1))
        chunks.push(chunk.subarray(0, end))
        return { bytes: concat(chunks), ended: false }
      }
      if (chunk.length >= rest) {
        this.unread(chunk.subarray(rest))
        chunks.push(chunk.subarray(0, rest))
        return { bytes: concat(chunks), ended: false }
      }
      chunks.push(chunk)
      length += chunk.length
    }
  }

  close(): void {
    this.#ended = true
    this.#waiting = null
    this.#reader.close()
  }
}

export function inputDescriptor(reader: ByteReader, seekable = false): Descriptor {
  const input = new InputStream(reader, seekable)
  return { input, write: null, close: async () => input.close() }
}

/** The writing end of a pipe. */
export function pipeDescriptor(pipe: { send(bytes: Uint8Array): Promise<void> }): Descriptor {
  return { input: null, write: async (bytes) => pipe.send(bytes), close: async () => {}, kind: 'pipe' }
}

/** The reading end of a pipe, or of a here-document. */
export function pipedInput(reader: ByteReader, seekable = false): Descriptor {
  return { ...inputDescriptor(reader, seekable), kind: 'pipe' }
}

export const NOTHING_TO_READ: ByteReader = { read: async () => null, close: () => {} }

/** `/dev/null`. */
export function nullDescriptor(): Descriptor {
  return {
    input: new InputStream(NOTHING_TO_READ, false),
    write: () => undefined,
    close: async () => {},
    kind: 'device',
  }
}

/** Writes text to a descriptor of a table; nothing if it is closed. */
export function writeText(descriptors: Descriptors, fd: number, text: string): Promise<void> | undefined {
  return text === '' ? undefined : descriptors.get(fd)?.write?.(encode(text))
}
