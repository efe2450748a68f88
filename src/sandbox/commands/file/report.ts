// Reports failures for single files, after which the command continues with the others.

import type { CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'

/** Runs `act`. Returns false after a `FileError`, which is reported as `NAME: WHAT: REASON`. */
export async function reported(io: CommandIo, what: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return complain(io, `${what}: ${error.message}`)
  }
}

/** Writes `NAME: TEXT`. Always returns false. */
export async function complain(io: CommandIo, text: string): Promise<false> {
  await io.stderr.write(`${io.name}: ${text}\n`)
  return false
}
