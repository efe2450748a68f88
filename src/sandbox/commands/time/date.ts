// `date`: prints the current or a given time.

import { Failed, Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { readLines } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { formatTime } from './format.ts'
import { parseDate } from './parse-date.ts'
import type { ParsedTime } from './date-fields.ts'
import { UTC, zoneOf, type Zone } from './zone.ts'

const DEFAULT = '%a %b %e %H:%M:%S %Z %Y'
const RFC_EMAIL = '%a, %d %b %Y %H:%M:%S %z'
const ISO: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  hours: '%Y-%m-%dT%H%:z',
  minutes: '%Y-%m-%dT%H:%M%:z',
  seconds: '%Y-%m-%dT%H:%M:%S%:z',
  ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
}
const RFC_3339: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  seconds: '%Y-%m-%d %H:%M:%S%:z',
  ns: '%Y-%m-%d %H:%M:%S.%N%:z',
}

const OPTIONS = [
  { flags: '-d --date', value: 'required' },
  { flags: '-f --file', value: 'required' },
  { flags: '-r --reference', value: 'required' },
  { flags: '-u --utc --universal' },
  { flags: '-I --iso-8601', value: 'optional' },
  { flags: '-R --rfc-email --rfc-2822' },
  { flags: '--rfc-3339', value: 'required' },
  { flags: '-s --set', value: 'required', refused: 'date -d, which only shows a time' },
  { flags: '--debug', refused: 'date without it' },
  { flags: '--resolution', refused: 'date without it' },
] as const

export const date: Command = {
  async run(io) {
    const parsed = parseOptions('date', io.args, OPTIONS)
    const zone = parsed.has('-u') ? UTC : zoneOf(io.env['TZ'], 'date')
    const format = formatOf(parsed)
    const sources = ['-d', '-f', '-r'].filter((flag) => parsed.has(flag))
    if (sources.length > 1)
      throw new Failed('the options to specify dates for printing are mutually exclusive')
    const show = async (time: ParsedTime): Promise<void> =>
      io.stdout.write(`${formatTime(format, { ...time, zone, command: 'date' })}\n`)
    const file = parsed.value('-f')
    if (file !== undefined) return eachLine(io, file, zone, show)
    const time = await timeOf(io, parsed, zone)
    if (typeof time === 'string') throw new Failed(time)
    await show(time)
    return 0
  },
}

function formatOf(parsed: Parsed): string {
  const [operand, ...more] = parsed.operands
  if (more.length > 0) throw usage('date', `extra operand ‘${more[0] ?? ''}’`)
  const formats = parsed.options.flatMap(({ flag, value }) => {
    if (flag === '-R') return [RFC_EMAIL]
    if (flag === '-I') return [named(ISO, value === '' ? 'date' : value, '--iso-8601')]
    return flag === '--rfc-3339' ? [named(RFC_3339, value, '--rfc-3339')] : []
  })
  if (formats.length + (operand?.startsWith('+') ? 1 : 0) > 1)
    throw new Failed('multiple output formats specified')
  if (operand === undefined) return formats[0] ?? DEFAULT
  if (operand.startsWith('+')) return operand.slice(1)
  if (['-d', '-f', '-r'].some((flag) => parsed.has(flag)))
    throw new Failed(
      `the argument ‘${operand}’ lacks a leading '+';\nwhen using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'`,
    )
  throw new Unsupported('date that sets the time', 'date -d TIME, which only shows it')
}

/** The format for a precision, whose name may be abbreviated. */
function named(formats: Readonly<Record<string, string>>, name: string, option: string): string {
  const found = Object.keys(formats).filter((known) => known.startsWith(name))
  const [first = ''] = Object.hasOwn(formats, name) ? [name] : found.length === 1 ? found : []
  const format = formats[first]
  if (format === undefined) throw new Failed(`invalid argument ‘${name}’ for ‘${option}’`)
  return format
}

/** The time to print, or an error message. */
async function timeOf(io: CommandIo, parsed: Parsed, zone: Zone): Promise<ParsedTime | string> {
  const text = parsed.value('-d')
  const reference = parsed.value('-r')
  if (text !== undefined) return parseDate(text, io.now(), zone) ?? `invalid date ‘${text}’`
  if (reference === undefined) return fromMs(io.now())
  const status = await io.files.stat(reference)
  return status ? fromMs(status.mtimeMs) : `${reference}: No such file or directory`
}

function fromMs(ms: number): ParsedTime {
  const seconds = Math.floor(ms / 1000)
  return { seconds, nanoseconds: Math.round((ms - seconds * 1000) * 1_000_000) }
}

async function eachLine(
  io: CommandIo,
  file: string,
  zone: Zone,
  show: (time: ParsedTime) => Promise<void>,
): Promise<number> {
  let exitCode = 0
  for await (const { lines } of readLines(file === '-' ? io.stdin : await io.files.open(file)))
    for (const line of lines) {
      const time = parseDate(line, io.now(), zone)
      if (time) await show(time)
      else {
        await io.stderr.write(`date: invalid date ‘${line}’\n`)
        exitCode = 1
      }
    }
  return exitCode
}
