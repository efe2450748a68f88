// Reads bytes in chunks: from a file, a pipe or a buffer. And the ways in which commands read: whole, by lines.

import { concat } from './bytes.ts'
import { decode } from './text.ts'

export interface ByteReader {
  /** The next chunk, never empty; null at the end. Must not be modified. */
  read(): Promise<Uint8Array | null>
  /** Bytes in all, if a file is read. */
  readonly size?: number
  /** No more will be read. A writer at the other end gets a `BrokenPipe`. */
  close(): void
}

/** Chunks of at most this size: some milliseconds of work between two pauses. */
export const CHUNK_BYTES = 65_536

export function bytesReader(bytes: Uint8Array): ByteReader {
  let at = 0
  return {
    read: async () => {
      if (at >= bytes.length) return null
      const chunk = bytes.subarray(at, at + CHUNK_BYTES)
      at += chunk.length
      return chunk
    },
    close: () => {
      at = bytes.length
    },
  }
}

/** Everything that is left. `held` is called with the number of bytes so far. */
export async function readAll(
  reader: ByteReader,
  held: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    chunks.push(chunk)
    bytes += chunk.length
    held(bytes)
  }
  return concat(chunks)
}

/** Some lines of a text, without their ends. */
export interface LineBatch {
  readonly lines: readonly string[]
  /** The last line of this batch is the last of the input and has no end. */
  readonly unterminated: boolean
}

/**
 * Lines of text (io/text.ts), many at a time. `separator` is the byte between lines: 10, or 0 for the options `-z`
 * and `-0`.
 */
export async function* readLines(
  reader: ByteReader,
  separator = 10,
  decodeAs = decode,
): AsyncGenerator<LineBatch> {
  const mark = String.fromCharCode(separator)
  let open: Uint8Array[] = []
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    const end = chunk.lastIndexOf(separator)
    if (end === -1) {
      open.push(chunk)
      continue
    }
    const whole = open.length === 0 ? chunk.subarray(0, end) : concat([...open, chunk.subarray(0, end)])
    open = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    yield { lines: decodeAs(whole).split(mark), unterminated: false }
  }
  if (open.length > 0) yield { lines: [decodeAs(concat(open))], unterminated: true }
}
