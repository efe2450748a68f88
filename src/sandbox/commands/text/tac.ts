// `tac`: prints lines in reverse order.

import type { Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { bytesOfLatin1, latin1Of, latin1OfText } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-b --before' },
  { flags: '-r --regex', refused: 'tac -s with fixed text, or python3' },
  { flags: '-s --separator', value: 'required' },
] as const

/** The message for a missing file. */
const OPENED = (name: string): string => `failed to open '${name}' for reading`
/** Number of records written at once. */
const BATCH = 1_000

export const tac: Command = {
  async run(io) {
    const given = parseOptions('tac', io.args, OPTIONS)
    const separator = latin1OfText(given.value('-s') ?? '\n') || '\0'
    const before = given.has('-b')
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1), OPENED)) {
      const pieces = latin1Of(await readAll(reader)).split(separator)
      // A separator belongs to the record before it, or with `-b` to the one after it.
      const records = pieces.map((piece, at) =>
        before ? (at > 0 ? separator : '') + piece : piece + (at < pieces.length - 1 ? separator : ''),
      )
      for (let end = records.length; end > 0; end -= BATCH)
        await io.stdout.write(
          bytesOfLatin1(
            records
              .slice(Math.max(0, end - BATCH), end)
              .toReversed()
              .join(''),
          ),
        )
    }
    return exitCode
  },
}
