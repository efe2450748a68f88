// Bytes as Latin-1 text, with one character per byte, for commands that compare and cut bytes. Comparing such texts
// compares their bytes.

import { Buffer } from 'node:buffer'

import type { ByteReader } from './reader.ts'
import { concat } from './bytes.ts'
import { encode } from './text.ts'

export function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

export function bytesOfLatin1(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'latin1')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}

/** Converts an argument to Latin-1 text. */
export function latin1OfText(text: string): string {
  return latin1Of(encode(text))
}

/** Several lines as Latin-1 text, without their line ends. */
export interface ByteLines {
  readonly lines: readonly string[]
  /** Whether the last of these lines is the last of the input and has no line end. */
  readonly unterminated: boolean
}

/** Several complete lines as one Latin-1 text. */
export interface ByteBlock {
  /** The lines with the separators between them, but without the last separator. */
  readonly text: string
  /** Whether the last of these lines is the last of the input and has no line end. */
  readonly unterminated: boolean
}

/** Yields lines in batches. `separator` is the character that ends a line: a line feed, or NUL for the option `-z`. */
export async function* byteLinesOf(reader: ByteReader, separator = '\n'): AsyncGenerator<ByteLines> {
  for await (const { text, unterminated } of byteBlocksOf(reader, separator))
    yield { lines: text.split(separator), unterminated }
}

/** Like `byteLinesOf`, but yields the lines in blocks. */
export async function* byteBlocksOf(reader: ByteReader, separator = '\n'): AsyncGenerator<ByteBlock> {
  const mark = separator.charCodeAt(0)
  let open: Uint8Array[] = []
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    const end = chunk.lastIndexOf(mark)
    if (end === -1) {
      open.push(chunk)
      continue
    }
    const complete = concat([...open, chunk.subarray(0, end)])
    open = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    yield { text: latin1Of(complete), unterminated: false }
  }
  if (open.length > 0) yield { text: latin1Of(concat(open)), unterminated: true }
}
