// The inputs of a command: its operands as files, or standard input for `-` or without operands. A missing file is
// reported, and the others are still read.

import type { CommandIo } from '../command.ts'
import { FileError } from './files.ts'
import type { ByteReader } from './reader.ts'

export interface Input {
  /** The name as written; `-` for standard input. */
  readonly name: string
  readonly reader: ByteReader
}

/** Formats the part of a message before the reason. */
type Shown = (name: string, reason: string) => string

/** The format of `head` and `tail`. */
export const shownByEnds: Shown = (name, reason) =>
  reason === 'Is a directory' ? `error reading '${name}'` : `cannot open '${name}' for reading`

const KEEPS_OUTPUT: ReadonlySet<string> = new Set(['rev', 'column', 'hexdump', 'hd'])

/**
 * Opens inputs one after another, and closes each when the next is requested. Calls `failed` for each that cannot be
 * opened, after writing the message `NAME: PATH: No such file or directory`.
 */
export async function* inputsOf(
  io: CommandIo,
  operands: readonly string[],
  failed: () => void,
  shown: Shown = (name) => name,
): AsyncGenerator<Input> {
  for (const name of operands.length === 0 ? ['-'] : operands) {
    const reader = await opened(io, name, failed, shown)
    if (!reader) continue
    try {
      yield { name, reader }
    } finally {
      if (reader !== io.stdin) reader.close()
    }
  }
}

async function opened(
  io: CommandIo,
  name: string,
  failed: () => void,
  shown: Shown,
): Promise<ByteReader | null> {
  if (name === '-') return io.stdin
  try {
    return await io.files.open(name)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Most programs flush their output before writing a message; those of util-linux do not.
    if (!KEEPS_OUTPUT.has(io.name)) await io.stdout.flush()
    await io.stderr.write(`${io.name}: ${shown(name, error.message)}: ${error.message}\n`)
    failed()
    return null
  }
}
