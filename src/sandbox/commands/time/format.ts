// Formats times with the directives, flags and widths of GNU `date`.

import { Unsupported } from '../command.ts'
import type { Zone, ZoneTime } from './zone.ts'

/** A time, and how to format it. */
export interface ShownTime {
  /** Whole seconds since 1970. */
  readonly seconds: number
  readonly nanoseconds: number
  readonly zone: Zone
  /** The command's name, for messages. */
  readonly command: string
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAY_MS = 86_400_000

/** The value of a directive: a number with its width and padding, or text. */
type Value =
  | { readonly number: number; readonly width: number; readonly pad: '0' | ' ' }
  | { readonly text: string; readonly lower?: true }
  | { readonly format: string }

interface Local {
  readonly date: Date
  readonly at: ZoneTime
  readonly year: number
  readonly weekday: number
  /** Starting at 0. */
  readonly dayOfYear: number
  readonly hour: number
  readonly iso: { readonly year: number; readonly week: number }
}

/** Throws an `Unsupported` for times beyond four digits of the year, and for zones without a known name. */
export function formatTime(format: string, time: ShownTime): string {
  return formatted(format, time, localOf(time))
}

function localOf({ seconds, zone, command }: ShownTime): Local {
  const at = zone.at(seconds * 1000)
  const date = new Date((seconds + at.offset) * 1000)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year) || year < 0 || year > 9999)
    throw new Unsupported(`${command} with the year of @${seconds}`, 'a year from 0 to 9999')
  const first = new Date(0)
  first.setUTCFullYear(year, 0, 1)
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, date.getUTCMonth(), date.getUTCDate())
  return {
    date,
    at,
    year,
    weekday: date.getUTCDay(),
    dayOfYear: Math.round((midnight.getTime() - first.getTime()) / DAY_MS),
    hour: date.getUTCHours(),
    iso: isoWeek(midnight),
  }
}

function formatted(format: string, time: ShownTime, local: Local): string {
  return format.replaceAll(
    /%([-_0^#+]*)(\d*)(:{0,3})([EO]?)([\s\S]|$)/gu,
    (all: string, flags: string, width: string, colons: string, modifier: string, letter: string) => {
      const known =
        colons === '' || letter === 'z'
          ? modifier === '' || allows(modifier, letter)
            ? valueOf(letter, colons.length, time, local)
            : null
          : null
      if (known === null) return all
      return shown(known, all, letter, flags, width, time, local)
    },
  )
}

function allows(modifier: string, letter: string): boolean {
  return (modifier === 'E' ? 'cCxXyY' : 'deHIklmMSuUVwWy').includes(letter)
}

function shown(
  value: Value,
  all: string,
  letter: string,
  flags: string,
  width: string,
  time: ShownTime,
  local: Local,
): string {
  const refused = (): Unsupported =>
    new Unsupported(`${time.command} with the format ${all}`, 'the format without its flags and width')
  if (flags.includes('+')) throw refused()
  const padFlag = Array.from(flags).findLast((flag) => '-_0'.includes(flag))
  if (letter === 'N') {
    if (flags !== '' || Number(width) > 1_000) throw refused()
    const digits = String(time.nanoseconds).padStart(9, '0')
    return width === '' ? digits : digits.slice(0, Number(width)).padEnd(Number(width), '0')
  }
  if ('z%'.includes(letter) && (flags !== '' || width !== '')) throw refused()
  let text: string
  let fill: string
  let size = Number(width)
  if (size > 1_000) throw refused()
  if ('number' in value) {
    fill = padFlag === '_' ? ' ' : padFlag === '0' ? '0' : value.pad
    if (width === '') size = padFlag === '-' ? 0 : value.width
    const digits = String(Math.abs(value.number))
    const sign = value.number < 0 ? '-' : ''
    text = fill === '0' && padFlag !== '-' ? sign + digits.padStart(size - sign.length, '0') : sign + digits
  } else {
    if ('format' in value && (width !== '' || padFlag !== undefined)) throw refused()
    text = 'format' in value ? formatted(value.format, time, local) : value.text
    fill = padFlag === '0' ? '0' : ' '
    const lower = 'lower' in value
    if (flags.includes('^')) text = text.toUpperCase()
    else if (flags.includes('#')) text = lower ? text.toLowerCase() : text.toUpperCase()
  }
  return padFlag === '-' ? text : text.padStart(size, fill)
}

function valueOf(letter: string, colons: number, time: ShownTime, local: Local): Value | null {
  const { date, year, weekday, dayOfYear, hour, iso } = local
  const two = (number: number, pad: '0' | ' ' = '0'): Value => ({ number, width: 2, pad })
  const day = DAYS[weekday] ?? ''
  const month = MONTHS[date.getUTCMonth()] ?? ''
  const half = hour < 12 ? 'AM' : 'PM'
  const twelve = hour % 12 === 0 ? 12 : hour % 12
  switch (letter) {
    case '%':
      return { text: '%' }
    case 'n':
      return { text: '\n' }
    case 't':
      return { text: '\t' }
    case 'a':
      return { text: day.slice(0, 3) }
    case 'A':
      return { text: day }
    case 'b':
    case 'h':
      return { text: month.slice(0, 3) }
    case 'B':
      return { text: month }
    case 'c':
      return { format: '%a %b %e %H:%M:%S %Y' }
    case 'C':
      return two(Math.floor(year / 100))
    case 'd':
      return two(date.getUTCDate())
    case 'D':
    case 'x':
      return { format: '%m/%d/%y' }
    case 'e':
      return two(date.getUTCDate(), ' ')
    case 'F':
      return { format: '%Y-%m-%d' }
    case 'g':
      return two(iso.year % 100)
    case 'G':
      return { number: iso.year, width: 4, pad: '0' }
    case 'H':
      return two(hour)
    case 'I':
      return two(twelve)
    case 'j':
      return { number: dayOfYear + 1, width: 3, pad: '0' }
    case 'k':
      return two(hour, ' ')
    case 'l':
      return two(twelve, ' ')
    case 'm':
      return two(date.getUTCMonth() + 1)
    case 'M':
      return two(date.getUTCMinutes())
    case 'N':
      return { text: '' }
    case 'p':
      return { text: half, lower: true }
    case 'P':
      return { text: half.toLowerCase() }
    case 'q':
      return { number: Math.floor(date.getUTCMonth() / 3) + 1, width: 1, pad: '0' }
    case 'r':
      return { format: '%I:%M:%S %p' }
    case 'R':
      return { format: '%H:%M' }
    case 's':
      return { number: time.seconds, width: 1, pad: '0' }
    case 'S':
      return two(date.getUTCSeconds())
    case 'T':
    case 'X':
      return { format: '%H:%M:%S' }
    case 'u':
      return { number: weekday === 0 ? 7 : weekday, width: 1, pad: '0' }
    case 'U':
      return two(Math.floor((dayOfYear + 7 - weekday) / 7))
    case 'V':
      return two(iso.week)
    case 'w':
      return { number: weekday, width: 1, pad: '0' }
    case 'W':
      return two(Math.floor((dayOfYear + 7 - ((weekday + 6) % 7)) / 7))
    case 'y':
      return two(year % 100)
    case 'Y':
      return { number: year, width: 4, pad: '0' }
    case 'z':
      return { text: offsetText(local.at.offset, colons) }
    case 'Z':
      if (local.at.name === null)
        throw new Unsupported(`${time.command} with the name (%Z) of that zone`, '%z, the offset')
      return { text: local.at.name, lower: true }
    default:
      return null
  }
}

/** `+0200`; with one to three colons `+02:00`, `+02:00:00` or `+02`. */
function offsetText(offset: number, colons: number): string {
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const all = Math.abs(offset)
  const [hours, minutes, seconds] = [two(all / 3600), two((all / 60) % 60), two(all % 60)]
  const sign = offset < 0 ? '-' : '+'
  if (colons === 0) return `${sign}${hours}${minutes}`
  if (colons === 1) return `${sign}${hours}:${minutes}`
  if (colons === 2 || seconds !== '00') return `${sign}${hours}:${minutes}:${seconds}`
  return minutes === '00' ? `${sign}${hours}` : `${sign}${hours}:${minutes}`
}

/** Weeks start on Monday; the first week contains the first Thursday. */
function isoWeek(midnight: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(midnight.getTime() + (3 - ((midnight.getUTCDay() + 6) % 7)) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const first = new Date(0)
  first.setUTCFullYear(year, 0, 1)
  return { year, week: 1 + Math.floor((thursday.getTime() - first.getTime()) / DAY_MS / 7) }
}
