// `bc`: computes with decimal numbers of any length.

import { Failed, Unsupported, type Command } from '../command.ts'
import { FileError } from '../io/files.ts'
import { decode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'
import { parseBc } from './parse.ts'
import { BcMachine } from './run.ts'
import { BcSyntax } from './tree.ts'

const OPTIONS = [
  { flags: '-l --mathlib' },
  { flags: '-q --quiet' },
  { flags: '-i --interactive', refused: 'bc without it' },
  { flags: '-s --standard', refused: 'bc without it' },
  { flags: '-w --warn', refused: 'bc without it' },
] as const

export const bc: Command = {
  async run(io) {
    const given = parseOptions('bc', io.args, OPTIONS)
    const lineLength = Number(io.env['BC_LINE_LENGTH'] ?? 70)
    const machine = new BcMachine(
      {
        lineLength: Number.isInteger(lineLength) && (lineLength === 0 || lineLength > 2) ? lineLength : 70,
        write: async (text) => {
          await io.stdout.write(text)
        },
        error: async (message) => {
          await io.stderr.write(`${message}\n`)
        },
      },
      given.has('-l'),
    )
    const sources: string[] = []
    for (const name of given.operands)
      try {
        sources.push(decode(await io.files.read(name)))
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        throw new Failed(`File ${name} is unavailable.`)
      }
    for (const source of [...sources, null]) {
      const text = source ?? decode(await readAll(io.stdin))
      for (const unit of parsedUnits(text)) {
        if (!(await machine.unit(unit))) return 0
      }
    }
    return 0
  },
}

function parsedUnits(text: string): ReturnType<typeof parseBc> {
  // bc does not run a last line without a line feed.
  if (/[^\s][^\n]*$/.test(text))
    throw new Unsupported('bc: a last line without a line feed', 'echo, or a here-document')
  try {
    return parseBc(text)
  } catch (error) {
    if (error instanceof BcSyntax)
      throw new Unsupported(
        `bc: the syntax at '${error.message}'`,
        'a correct program (`else` follows `}` on its line), or python3',
      )
    throw error
  }
}
