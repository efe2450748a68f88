// Writes bytes in chunks to a pipe, a file or the result. Buffers small writes.

import { CHUNK_BYTES } from './reader.ts'
import { concat } from './bytes.ts'
import { encode } from './text.ts'

export interface ByteWriter {
  /**
   * Writes text or bytes. Await the result if it is a promise, because the reader has to catch up. Throws a
   * `BrokenPipe` if there is no reader any more. Do not modify the array later.
   */
  write(data: string | Uint8Array): Promise<void> | undefined
  /** Sends the buffered data. The interpreter calls this when a command ends. */
  flush(): Promise<void>
}

/** The reader has closed the pipe. The writing command ends silently with exit code 141. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/** A writer that sends chunks of about 64 KB. */
export class BufferedWriter implements ByteWriter {
  readonly #send: (chunk: Uint8Array) => Promise<void> | undefined
  #text = ''
  #chunks: Uint8Array[] = []
  #length = 0

  constructor(send: (chunk: Uint8Array) => Promise<void> | undefined) {
    this.#send = send
  }

  write(data: string | Uint8Array): Promise<void> | undefined {
    this.#length += data.length
    if (typeof data === 'string') this.#text += data
    else {
      this.#settle()
      this.#chunks.push(data)
    }
    return this.#length >= CHUNK_BYTES ? this.#flush() : undefined
  }

  async flush(): Promise<void> {
    await this.#flush()
  }

  #flush(): Promise<void> | undefined {
    this.#settle()
    if (this.#chunks.length === 0) return undefined
    const chunk = concat(this.#chunks)
    this.#chunks = []
    this.#length = 0
    return chunk.length === 0 ? undefined : this.#send(chunk)
  }

  #settle(): void {
    if (this.#text === '') return
    this.#chunks.push(encode(this.#text))
    this.#text = ''
  }
}
