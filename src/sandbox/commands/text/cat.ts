// `cat`: concatenates files, optionally with line numbers, visible line ends and visible control characters.

import type { Command, CommandIo } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1 } from '../io/latin1.ts'
import { isOwnOutput } from '../io/own-output.ts'
import type { ByteReader } from '../io/reader.ts'
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
  { flags: '-v --show-nonprinting' },
]

export const cat: Command = {
  async run(io) {
    const given = parseOptions('cat', io.args, OPTIONS)
    let exitCode = 0
    const plain = given.options.every(({ flag }) => flag === '-u')
    const lines = new LineWriter(given)
    const read = async (reader: ByteReader): Promise<void> => {
      if (plain)
        for (let chunk = await reader.read(); chunk; chunk = await reader.read()) await io.stdout.write(chunk)
      else
        for await (const batch of byteLinesOf(reader))
          await io.stdout.write(bytesOfLatin1(lines.format(batch.lines, batch.unterminated)))
    }
    for (const name of given.operands.length === 0 ? ['-'] : given.operands)
      if (await wouldGrow(io, name)) {
        await io.stderr.write(`cat: ${name}: input file is output file\n`)
        exitCode = 1
      } else for await (const { reader } of inputsOf(io, [name], () => (exitCode = 1))) await read(reader)
    return exitCode
  },
}

/** Whether the file has content that would be appended to the file itself. */
async function wouldGrow(io: CommandIo, name: string): Promise<boolean> {
  if (!(await isOwnOutput(io, name === '-' ? null : name))) return false
  await io.stdout.flush()
  const status = await io.files.stat(io.standardFiles?.output ?? '')
  return status?.kind === 'file' && status.size > 0
}

/** Formats lines of Latin-1 text. Line numbers continue from one file to the next. */
class LineWriter {
  readonly #given: Parsed
  readonly #end: string
  readonly #showsTabs: boolean
  readonly #showsBytes: boolean
  #number = 0
  #previousIsBlank = false
  /** Whether the last line had no line end, so that the next file continues it. */
  #isOpen = false

  constructor(given: Parsed) {
    this.#given = given
    const hasAny = (...flags: readonly string[]): boolean => flags.some((flag) => given.has(flag))
    this.#end = hasAny('-A', '-e', '-E') ? '$\n' : '\n'
    this.#showsTabs = hasAny('-A', '-t', '-T')
    this.#showsBytes = hasAny('-A', '-e', '-t', '-v')
  }

  format(lines: readonly string[], unterminated: boolean): string {
    const given = this.#given
    let text = ''
    lines.forEach((line, index) => {
      const isBlank = line === '' && !this.#isOpen
      if (given.has('-s') && isBlank && this.#previousIsBlank) return
      this.#previousIsBlank = isBlank
      const isNumbered = !this.#isOpen && (given.has('-b') ? !isBlank : given.has('-n'))
      if (isNumbered) text += `${String(++this.#number).padStart(6)}\t`
      this.#isOpen = unterminated && index === lines.length - 1
      text += this.#visible(line)
      if (!this.#isOpen) text += this.#end
    })
    return text
  }

  #visible(line: string): string {
    if (this.#showsBytes) return line.replace(this.#showsTabs ? /[^ -~]/g : /[^ -~\t]/g, notation)
    if (this.#showsTabs) return line.replaceAll('\t', '^I')
    // If line ends are shown, a carriage return before a line end is shown, too.
    return this.#end === '$\n' && !this.#isOpen ? line.replace(/\r$/, '^M') : line
  }
}

/** The notation of a byte: `^M` for a control character, `M-` before a byte above 127. */
function notation(byte: string): string {
  const code = byte.charCodeAt(0)
  if (code >= 128) {
    const low = String.fromCharCode(code - 128)
    return `M-${/[ -~]/.test(low) ? low : notation(low)}`
  }
  return code === 127 ? '^?' : `^${String.fromCharCode(code + 64)}`
}
