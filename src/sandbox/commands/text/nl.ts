// `nl`: numbers lines.

import { Failed, Unsupported, type Command, usage } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { readLines } from '../io/reader.ts'
import { fieldWidth } from '../number-size.ts'
import { parseOptions } from '../options.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import { PatternError } from '../pattern/tree.ts'

const OPTIONS = [
  { flags: '-b --body-numbering', value: 'required' },
  { flags: '-d --section-delimiter', value: 'required' },
  { flags: '-f --footer-numbering', value: 'required' },
  { flags: '-h --header-numbering', value: 'required' },
  { flags: '-i --line-increment', value: 'required' },
  { flags: '-l --join-blank-lines', value: 'required' },
  { flags: '-n --number-format', value: 'required' },
  { flags: '-p --no-renumber' },
  { flags: '-s --number-separator', value: 'required' },
  { flags: '-v --starting-line-number', value: 'required' },
  { flags: '-w --number-width', value: 'required' },
] as const

type Numbers = (line: string) => boolean

export const nl: Command = {
  async run(io) {
    const given = parseOptions('nl', io.args, OPTIONS)
    const number = (flag: string, normal: number, what: string, least = -Infinity): number => {
      const text = given.value(flag)
      if (text === undefined) return normal
      if (!/^\s*[+-]?\d+$/.test(text) || Number(text) < least) throw new Failed(`invalid ${what}: ‘${text}’`)
      return Number(text)
    }
    const start = number('-v', 1, 'starting line number')
    const step = number('-i', 1, 'line number increment')
    const joined = number('-l', 1, 'line number of blank lines', 1)
    const width = fieldWidth(number('-w', 6, 'line number field width', 1))
    const between = given.value('-s') ?? '\t'
    const format = given.value('-n') ?? 'rn'
    if (!['ln', 'rn', 'rz'].includes(format)) throw usage('nl', `invalid line numbering format: ‘${format}’`)
    const pair = given.value('-d') ?? '\\:'
    const mark = pair.length === 1 ? `${pair}:` : pair
    const sections: Readonly<Record<string, Numbers>> = {
      [mark.repeat(3)]: styleOf(given.value('-h') ?? 'n', 'header'),
      [mark.repeat(2)]: styleOf(given.value('-b') ?? 't', 'body'),
      [mark]: styleOf(given.value('-f') ?? 'n', 'footer'),
    }
    let numbers = sections[mark.repeat(2)]
    let next = start
    let blanks = 0
    let exitCode = 0
    const empty = ' '.repeat(width + Array.from(between).length)
    const numbered = (line: string): string => {
      const section = mark !== '' && Object.hasOwn(sections, line) ? sections[line] : undefined
      if (section) {
        numbers = section
        if (!given.has('-p')) next = start
        return '\n'
      }
      blanks = line === '' ? blanks + 1 : 0
      // Of consecutive empty lines, only every `-l`th counts.
      const counts = line !== '' || joined === 1 || blanks % joined === 0
      if (!counts || numbers?.(line) !== true) return `${empty}${line}\n`
      const number = next
      next += step
      return `${formatted(number, format, width)}${between}${line}\n`
    }
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const { lines } of readLines(reader)) await io.stdout.write(lines.map(numbered).join(''))
    return exitCode
  },
}

function formatted(number: number, format: string, width: number): string {
  const text = String(number)
  if (format === 'ln') return text.padEnd(width)
  if (format === 'rn') return text.padStart(width)
  return number < 0 ? `-${String(-number).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

function styleOf(style: string, what: string): Numbers {
  if (style === 'a') return () => true
  if (style === 't') return (line) => line !== ''
  if (style === 'n') return () => false
  if (!style.startsWith('p')) throw usage('nl', `invalid ${what} numbering style: ‘${style}’`)
  try {
    const { tree, groups } = parsePattern(style.slice(1), { extended: false, ignoreCase: false })
    const pattern = new Pattern(tree, { groups, ignoreCase: false })
    return (line) => pattern.test(line)
  } catch (error) {
    if (error instanceof PatternError) throw new Failed(error.message)
    if (error instanceof UnsupportedPattern) throw new Unsupported(`nl: ${error.message}`, 'awk')
    throw error
  }
}
