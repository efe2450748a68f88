// Open files, to which file descriptors refer.

import type { ByteReader } from '../../commands/io/reader.ts'
import { encode } from '../../commands/io/text.ts'
import { concat } from '../../commands/io/bytes.ts'

/** An open file, which several file descriptors may share. */
export interface Descriptor {
  readonly input: InputStream | null
  /** The real path of the file; missing for anything else. */
  readonly file?: string
  /** Set for a pipe, or a device such as `/dev/null`, which `test` distinguishes from a file. */
  readonly kind?: 'pipe' | 'device'
  /** Writes bytes. Await the result if it is a promise. Throws a `BrokenPipe` if there is no reader any more. */
  readonly write: ((bytes: Uint8Array) => Promise<void> | undefined) | null
  /** Called when nothing more is read or written. */
  close(): Promise<void>
}

export type Descriptors = Map<number, Descriptor>

/** Input that several commands read one after another. Each reads what the previous ones left. */
export class InputStream implements ByteReader {
  readonly #reader: ByteReader
  #waiting: Uint8Array | null = null
  #ended = false
  #begun = false
  /** A read that is no longer awaited. The next reader gets its result. */
  #pending: Promise<Uint8Array | null> | null = null
  /** Whether the input is a file, so that bytes can be put back. */
  readonly seekable: boolean

  constructor(reader: ByteReader, seekable: boolean) {
    this.#reader = reader
    this.seekable = seekable
  }

  /** The reader for a command. Only the first command gets the size of the input. */
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

  /** Waits for input or its end. Resolves to false if `deadline` resolves first. */
  async #readyBefore(deadline: Promise<void>): Promise<boolean> {
    if (this.#waiting || this.#ended) return true
    this.#begun = true
    this.#pending ??= this.#reader.read()
    // A failure is thrown to the next reader.
    this.#pending.catch(() => {})
    return Promise.race([this.#pending.then(() => true), deadline.then(() => false)])
  }

  /** Puts back the last bytes that were read. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#waiting = this.#waiting ? concat([bytes, this.#waiting]) : bytes
  }

  /**
   * Reads up to `delimiter`, which is consumed but not returned, or up to `limit` bytes. `ended` means that the input
   * ended first, `late` that `deadline` resolved first.
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

/** The write end of a pipe. */
export function pipeDescriptor(pipe: { send(bytes: Uint8Array): Promise<void> }): Descriptor {
  return { input: null, write: async (bytes) => pipe.send(bytes), close: async () => {}, kind: 'pipe' }
}

/** The read end of a pipe, or a here-document. */
export function pipedInput(reader: ByteReader, seekable = false): Descriptor {
  return { ...inputDescriptor(reader, seekable), kind: 'pipe' }
}

export const NOTHING_TO_READ: ByteReader = { read: async () => null, close: () => {} }

/** The descriptor of `/dev/null`. */
export function nullDescriptor(): Descriptor {
  return {
    input: new InputStream(NOTHING_TO_READ, false),
    write: () => undefined,
    close: async () => {},
    kind: 'device',
  }
}

/** Writes text to a descriptor of a table. Does nothing if it is closed. */
export function writeText(descriptors: Descriptors, fd: number, text: string): Promise<void> | undefined {
  return text === '' ? undefined : descriptors.get(fd)?.write?.(encode(text))
}
