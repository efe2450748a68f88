// `cat`: joins files, with numbers, ends and tabs made visible if wanted.

import type { Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { readLines } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'

const OPTIONS = [
  { flags: '-A --show-all' },
  { flags: '-b --number-nonblank' },
  { flags: '-e' },
  { flags: '-E --show-ends' },
  { flags: '-n --number' },
  { flags: '-s --squeeze-blank' },
  { flags: '-t' },
  { flags: '-T --show-tabs' },
  { flags: '-u' },
  { flags: '-v --show-nonprinting', refused: 'od -c, or cat -A on ASCII text' },
]

export const cat: Command = {
  async run(io) {
    const given = parseOptions('cat', io.args, OPTIONS)
    let exitCode = 0
    const plain = given.options.every(({ flag }) => flag === '-u')
    const lines = new LineWriter(given)
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1))) {
      if (plain)
        for (let chunk = await reader.read(); chunk; chunk = await reader.read()) await io.stdout.write(chunk)
      else
        for await (const batch of readLines(reader))
          await io.stdout.write(lines.written(batch.lines, batch.unterminated))
    }
    return exitCode
  },
}

/** Numbers continue from one file to the next. */
class LineWriter {
  readonly #given: Parsed
  #number = 0
  #blank = false
  /** The last line had no end, so the next file continues it. */
  #open = false

  constructor(given: Parsed) {
    this.#given = given
  }

  written(lines: readonly string[], unterminated: boolean): string {
    const given = this.#given
    const all = given.has('-A')
    const ends = all || given.has('-e') || given.has('-E') ? '$\n' : '\n'
    const tabs = all || given.has('-t') || given.has('-T')
    let text = ''
    lines.forEach((line, index) => {
      const blank = line === '' && !this.#open
      if (given.has('-s') && blank && this.#blank) return
      this.#blank = blank
      const numbered = !this.#open && (given.has('-b') ? !blank : given.has('-n'))
      if (numbered) text += `${String(++this.#number).padStart(6)}\t`
      text += tabs ? line.replaceAll('\t', '^I') : line
      this.#open = unterminated && index === lines.length - 1
      if (!this.#open) text += ends
    })
    return text
  }
}
