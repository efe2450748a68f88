// `rev`: reverses each line.

import { Unsupported, type Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { readLines } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const ESCAPED = /[\uDC80-\uDCFF]/u

export const rev: Command = {
  async run(io) {
    const given = parseOptions('rev', io.args, [])
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const { lines, unterminated } of readLines(reader)) {
        const text = lines.map((line) => Array.from(line).toReversed().join('')).join('\n')
        if (ESCAPED.test(text)) throw new Unsupported('rev of bytes that are not UTF-8', 'python3')
        await io.stdout.write(unterminated ? text : `${text}\n`)
      }
    return exitCode
  },
}
