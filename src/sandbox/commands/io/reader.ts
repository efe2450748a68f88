// Reads bytes in chunks from a file, a pipe or a buffer: completely or line by line.

import { concat } from './bytes.ts'
import { decode } from './text.ts'

export interface ByteReader {
  /** The next chunk, which is never empty; null at the end. Do not modify it. */
  read(): Promise<Uint8Array | null>
  /** Total number of bytes, if the input is a file. */
  readonly size?: number
  /** Stops reading. A writer at the other end gets a `BrokenPipe`. */
  close(): void
}

/** Maximum size of a chunk: a few milliseconds of work between two pauses. */
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

/** Reads all remaining bytes. `held` is called with the number of bytes so far. */
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

/** Several lines of a text, without their line ends. */
export interface LineBatch {
  readonly lines: readonly string[]
  /** Whether the last line of this batch is the last of the input and has no line end. */
  readonly unterminated: boolean
}

/**
 * Yields lines of text (io/text.ts) in batches. `separator` is the byte that ends a line: 10, or 0 for the options
 * `-z` and `-0`.
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
