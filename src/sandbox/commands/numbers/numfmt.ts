// `numfmt`: converts numbers to and from numbers with units.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { readLines } from '../io/reader.ts'
import { fieldWidth } from '../number-size.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { human, parsedHuman, type Rounding, type Unit } from './human.ts'

const OPTIONS = [
  { flags: '--debug', refused: 'numfmt without it' },
  { flags: '-d --delimiter', value: 'required' },
  { flags: '--field', value: 'required' },
  { flags: '--format', value: 'required' },
  { flags: '--from', value: 'required' },
  { flags: '--from-unit', value: 'required' },
  { flags: '--grouping' },
  { flags: '--header', value: 'optional' },
  { flags: '--invalid', value: 'required' },
  { flags: '--padding', value: 'required' },
  { flags: '--round', value: 'required' },
  { flags: '--suffix', value: 'required' },
  { flags: '--to', value: 'required' },
  { flags: '--to-unit', value: 'required' },
  { flags: '-z --zero-terminated' },
] as const

const UNITS: readonly Unit[] = ['none', 'auto', 'si', 'iec', 'iec-i']
const ROUNDINGS: readonly Rounding[] = ['up', 'down', 'from-zero', 'towards-zero', 'nearest']
const MODES = ['abort', 'fail', 'warn', 'ignore'] as const

interface Settings {
  readonly from: Unit
  readonly to: Unit
  readonly fromUnit: bigint
  readonly toUnit: bigint
  readonly round: Rounding
  readonly suffix: string
  /** The width to pad to; null for the width of the field, if it began with blanks. */
  readonly padding: number | null
  readonly left: boolean
  readonly precision: number | null
  readonly before: string
  readonly after: string
  readonly delimiter: string | null
  readonly isWanted: (field: number) => boolean
  readonly invalid: (typeof MODES)[number]
}

export const numfmt: Command = {
  async run(io) {
    const given = parseOptions('numfmt', io.args, OPTIONS)
    const settings = settingsOf(given)
    const end = given.has('-z') ? '\0' : '\n'
    let exitCode = 0
    const convert = async (line: string): Promise<string> => {
      const { text, wrong } = converted(line, settings)
      for (const message of settings.invalid === 'ignore' ? [] : wrong)
        await io.stderr.write(`numfmt: ${message}\n`)
      if (wrong.length > 0 && settings.invalid === 'fail') exitCode = 2
      return text
    }
    if (given.operands.length > 0)
      for (const operand of given.operands) await io.stdout.write((await convert(operand)) + end)
    else await filter(io, given, end, convert)
    return exitCode
  },
}

async function filter(
  io: CommandIo,
  given: Parsed,
  end: string,
  convert: (line: string) => Promise<string>,
): Promise<void> {
  const headerText = given.value('--header')
  if (headerText !== undefined && !/^\d*$/.test(headerText))
    throw new Failed(`invalid header value ‘${headerText}’`)
  let header = headerText === undefined ? 0 : Number(headerText || 1)
  for await (const { lines, unterminated } of readLines(io.stdin, end.charCodeAt(0)))
    for (const [at, line] of lines.entries()) {
      const text = header-- > 0 ? line : await convert(line)
      await io.stdout.write(unterminated && at === lines.length - 1 ? text : text + end)
    }
}

function settingsOf(given: Parsed): Settings {
  const choice = <T extends string>(flag: string, all: readonly T[], usual: T): T => {
    const text = given.value(flag)
    const found = text === undefined ? usual : all.find((one) => one === text)
    if (found === undefined) throw new Failed(`invalid argument ‘${text ?? ''}’ for ‘${flag}’`)
    return found
  }
  const size = (flag: string): bigint => {
    const text = given.value(flag) ?? '1'
    const parsed = parsedHuman(text, 'auto')
    if (typeof parsed === 'string' || parsed.value.bottom !== 1n || parsed.value.top <= 0n)
      throw new Failed(`invalid unit size: ‘${text}’`)
    return parsed.value.top
  }
  const paddingText = given.value('--padding')
  if (paddingText !== undefined && (!/^-?\d+$/.test(paddingText) || Number(paddingText) === 0))
    throw new Failed(`invalid padding value ‘${paddingText}’`)
  const delimiter = given.value('-d') ?? null
  if (delimiter !== null && Array.from(delimiter).length > 1)
    throw new Failed('the delimiter must be a single character')
  const to = choice('--to', UNITS, 'none')
  if (to === 'auto') throw new Failed(`invalid argument 'auto' for '--to'`)
  if (given.has('--grouping') && to !== 'none') throw new Failed('grouping cannot be combined with --to')
  const format = formatOf(given.value('--format'))
  const padding = paddingText === undefined ? format.padding : Number(paddingText)
  return {
    from: choice('--from', UNITS, 'none'),
    to,
    fromUnit: size('--from-unit'),
    toUnit: size('--to-unit'),
    round: choice('--round', ROUNDINGS, 'from-zero'),
    suffix: given.value('--suffix') ?? '',
    padding: padding === null ? null : Math.abs(padding),
    left: padding !== null && padding < 0,
    precision: format.precision,
    before: format.before,
    after: format.after,
    delimiter,
    isWanted: fieldsOf(given.value('--field') ?? '1'),
    invalid: choice('--invalid', MODES, 'abort'),
  }
}

function formatOf(format: string | undefined): {
  padding: number | null
  precision: number | null
  before: string
  after: string
} {
  if (format === undefined) return { padding: null, precision: null, before: '', after: '' }
  const found = /^((?:[^%]|%%)*)%(-?)(\d*)(?:\.(\d+))?f((?:[^%]|%%)*)$/s.exec(format)
  if (!found || (found[3] ?? '').startsWith('0'))
    throw new Unsupported(`numfmt --format '${format}'`, `a format like '%10.1f'`)
  const [, before = '', minus, width = '', precision, after = ''] = found
  return {
    padding: width === '' ? null : Number(width) * (minus === '-' ? -1 : 1),
    precision: precision === undefined ? null : Number(precision),
    before: before.replaceAll('%%', '%'),
    after: after.replaceAll('%%', '%'),
  }
}

/** Parses a list of fields, starting at 1: `2`, `1,3`, `2-`, `-`. */
function fieldsOf(list: string): (field: number) => boolean {
  const ranges = list.split(/[, ]/).map((part) => {
    const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
    if (dash === undefined || part === '' || from === '0') throw new Failed(`invalid field value ‘${part}’`)
    const first = from === '' ? 1 : Number(from)
    const last = dash === '' ? first : to === '' ? Infinity : Number(to)
    if (last < first) throw new Failed('invalid decreasing range')
    return [first, last] as const
  })
  return (field) => ranges.some(([first, last]) => field >= first && field <= last)
}

function converted(line: string, settings: Settings): { text: string; wrong: readonly string[] } {
  const { delimiter } = settings
  // Without a delimiter, the blanks before a field belong to it, except for one.
  const fields =
    delimiter === null ? (line.match(/(?<=^|[ \t])[ \t]*[^ \t]*(?=[ \t]|$)/g) ?? ['']) : line.split(delimiter)
  const wrong: string[] = []
  const shown = fields.map((field, at) => {
    if (!settings.isWanted(at + 1)) return field
    const text = convertedField(field, at + 1, settings)
    if (text !== null) return text
    const message = messageOf(field, settings)
    if (settings.invalid === 'abort') throw new Failed(message, 2)
    wrong.push(message)
    return field
  })
  return { text: shown.join(delimiter ?? ' '), wrong }
}

function numberIn(field: string, { suffix }: Settings): string {
  const bare =
    suffix !== '' && field.length > suffix.length && field.endsWith(suffix)
      ? field.slice(0, -suffix.length)
      : field
  return bare.replace(/^[ \t]+/, '')
}

function messageOf(field: string, settings: Settings): string {
  const parsed = parsedHuman(numberIn(field, settings), settings.from)
  return typeof parsed === 'string' ? parsed : ''
}

/** Converts a field; null if it is not a number. */
function convertedField(field: string, index: number, settings: Settings): string | null {
  const { from, to, fromUnit, toUnit, round, precision, padding, left, delimiter, before, after, suffix } =
    settings
  const parsed = parsedHuman(numberIn(field, settings), from)
  if (typeof parsed === 'string') return null
  const value = { top: parsed.value.top * fromUnit, bottom: parsed.value.bottom * toUnit }
  const size = value.top < 0n ? -value.top : value.top
  if (size > value.bottom * 10n ** 15n && to === 'none')
    throw new Unsupported('numfmt of so large a number', 'numfmt --to=UNIT')
  const text = human(value, to, round, precision, parsed.precision) + suffix
  const isPadded = padding === null && delimiter === null && (/^[ \t]/.test(field) || index > 1)
  const width = padding === null ? (isPadded ? Array.from(field).length : 0) : fieldWidth(padding)
  return before + (left ? text.padEnd(width) : text.padStart(width)) + after
}
