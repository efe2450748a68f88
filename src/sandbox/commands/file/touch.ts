// `touch`: creates files and sets their times. Files have only a modification time.

import { Failed, type Command, type CommandIo, usage } from '../command.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { parseDate } from '../time/parse-date.ts'
import { fromLocal, zoneOf } from '../time/zone.ts'
import { quotedName } from './names.ts'
import { reported } from './report.ts'

const OPTIONS = [
  { flags: '-a' },
  { flags: '-c --no-create' },
  { flags: '-d --date', value: 'required' },
  { flags: '-f' },
  { flags: '-m' },
  { flags: '-r --reference', value: 'required' },
  { flags: '-t', value: 'required' },
  { flags: '--time', value: 'required' },
  { flags: '-h --no-dereference', refused: 'touch without it' },
] as const

export const touch: Command = {
  async run(io) {
    const parsed = parseOptions('touch', io.args, OPTIONS)
    if (parsed.operands.length === 0) throw usage('touch', 'missing file operand')
    const time = await timeOf(io, parsed)
    const word = parsed.value('--time')
    if (word !== undefined && !/^(?:access|atime|use|modify|mtime)$/.test(word))
      throw usage('touch', `invalid argument ‘${word}’ for ‘--time’`)
    const onlyAccess = (parsed.has('-a') || /^(?:a|u)/.test(word ?? '')) && !parsed.has('-m')
    let exitCode = 0
    for (const path of parsed.operands) {
      if (path === '-') continue
      const done = await reported(io, `cannot touch ${quotedName(path)}`, async () => {
        const there = await io.files.stat(path)
        if (!there) {
          if (parsed.has('-c')) return
          await io.files.write(path, new Uint8Array())
        }
        if (!onlyAccess) await io.files.setTime(path, time)
      })
      if (!done) exitCode = 1
    }
    return exitCode
  },
}

async function timeOf(io: CommandIo, parsed: Parsed): Promise<number> {
  const stamp = parsed.value('-t')
  const text = parsed.value('-d')
  const reference = parsed.value('-r')
  if (stamp !== undefined && (text !== undefined || reference !== undefined))
    throw usage('touch', 'cannot specify times from more than one source')
  if (stamp !== undefined) return fromStamp(io, stamp)
  let base = io.now()
  if (reference !== undefined) {
    const status = await io.files.stat(reference)
    if (!status)
      throw new Failed(`failed to get attributes of ${quotedName(reference)}: No such file or directory`)
    base = status.mtimeMs
  }
  if (text === undefined) return base
  const time = parseDate(text, base, zoneOf(io.env['TZ'], 'touch'))
  if (!time) throw new Failed(`invalid date format ‘${text}’`)
  return time.seconds * 1000 + time.nanoseconds / 1_000_000
}

/** Parses `[[CC]YY]MMDDhhmm[.ss]`. */
function fromStamp(io: CommandIo, text: string): number {
  const [, century, yearText, month = '', day = '', hour = '', minute = '', second = '0'] =
    /^(\d\d)?(\d\d)?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text) ?? []
  // If two more digits come first, they belong to the year.
  const [high, low] = yearText === undefined ? [undefined, century] : [century, yearText]
  const year =
    low === undefined
      ? new Date(io.now()).getUTCFullYear()
      : Number(low) + (high === undefined ? (Number(low) < 69 ? 2000 : 1900) : Number(high) * 100)
  const local = new Date(0)
  local.setUTCFullYear(year, Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour), Number(minute), Number(second))
  const [ms] = fromLocal(zoneOf(io.env['TZ'], 'touch'), local.getTime())
  const valid = local.getUTCMonth() === Number(month) - 1 && local.getUTCDate() === Number(day)
  if (month === '' || !valid || Number(hour) > 23 || Number(minute) > 59 || ms === undefined)
    throw new Failed(`invalid date format ‘${text}’`)
  return ms
}
