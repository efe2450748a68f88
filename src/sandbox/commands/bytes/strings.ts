// `strings`: runs of printable characters in binary files.

import { Failed, type Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { latin1Of } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-a --all -' },
  { flags: '-d --data', refused: 'strings -a' },
  { flags: '-e --encoding', value: 'required', refused: 'python3' },
  { flags: '-f --print-file-name' },
  { flags: '-n --bytes', value: 'required' },
  { flags: '-o' },
  { flags: '-s --output-separator', value: 'required' },
  { flags: '-t --radix', value: 'required' },
  { flags: '-U --unicode', value: 'required', refused: 'python3' },
  { flags: '-w --include-all-whitespace' },
] as const

const RADIXES: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16 }

export const strings: Command = {
  async run(io) {
    // `-8` means `-n 8`.
    const args = io.args.map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg))
    const given = parseOptions('strings', args, OPTIONS)
    const text = given.value('-n') ?? '4'
    const least = Number(text)
    if (!/^\d+$/.test(text)) throw new Failed(`invalid integer argument ${text}`)
    if (least < 1) throw new Failed(`invalid minimum string length ${text}`)
    const radixName = given.last('-o', '-t') === '-o' ? 'o' : given.value('-t')
    const radix = radixName === undefined ? undefined : RADIXES[radixName]
    if (radixName !== undefined && radix === undefined) throw new Failed(`invalid radix ${radixName}`)
    const separator = given.value('-s') ?? '\n'
    const pattern = given.has('-w') ? /[\t-\r -~]+/g : /[\t -~]+/g
    let exitCode = 0
    for await (const { name, reader } of inputsOf(io, given.operands, () => (exitCode = 1))) {
      const shown = given.has('-f') ? `${name === '-' ? '{standard input}' : name}: ` : ''
      let output = ''
      for (const found of latin1Of(await readAll(reader)).matchAll(pattern)) {
        if (found[0].length < least) continue
        const address = radix === undefined ? '' : `${found.index.toString(radix).padStart(7)} `
        output += shown + address + found[0] + separator
        if (output.length < 32_768) continue
        await io.stdout.write(output)
        output = ''
      }
      await io.stdout.write(output)
    }
    return exitCode
  },
}
