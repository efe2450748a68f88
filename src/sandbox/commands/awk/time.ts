// `mktime` and `strftime`, in UTC.

import { Unsupported } from '../command.ts'

type Environment = Readonly<Record<string, string>>
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAY_MS = 86_400_000

function checkZone(utc: boolean, env: Environment): void {
  const zone = env['TZ'] ?? ''
  if (!utc && !/^(?:|:?UTC0?|:?GMT0?|:?Etc\/UTC|UTC-0)$/.test(zone))
    throw new Unsupported(
      `awk with dates in the zone TZ=${zone}`,
      'the argument for UTC (strftime(format, time, 1)), or python3',
    )
}

/** Parses `YYYY MM DD HH MM SS [DST]` into seconds since 1970; -1 if it is invalid. */
export function timeOf(text: string, utc: boolean, env: Environment): number {
  checkZone(utc, env)
  const match = /^\s*(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)(?:\s+-?\d+)?/.exec(text)
  if (!match) return -1
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const ms = date.getTime()
  return Number.isNaN(ms) ? -1 : ms / 1000
}

const two = (number: number): string => String(number).padStart(2, '0')

export function broken(format: string, seconds: number, utc: boolean, env: Environment): string {
  checkZone(utc, env)
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime()))
    throw new Unsupported(`awk strftime of the time ${seconds}`, 'a time within 270000 years')
  const year = date.getUTCFullYear()
  const yearDay = Math.floor(
    (Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0, 1)) / DAY_MS,
  )
  const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  const dayOfYear = yearDay - (!leap && date.getUTCMonth() > 1 ? 1 : 0)
  const weekday = date.getUTCDay()
  const hour = date.getUTCHours()
  const twelve = hour % 12 === 0 ? 12 : hour % 12
  const again = (inner: string): string => broken(inner, seconds, utc, env)
  const iso = isoWeek(date)
  const values: Readonly<Record<string, () => string>> = {
    '%': () => '%',
    n: () => '\n',
    t: () => '\t',
    a: () => (DAYS[weekday] ?? '').slice(0, 3),
    A: () => DAYS[weekday] ?? '',
    b: () => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
    h: () => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
    B: () => MONTHS[date.getUTCMonth()] ?? '',
    c: () => again('%a %b %e %H:%M:%S %Y'),
    C: () => two(Math.floor(year / 100)),
    d: () => two(date.getUTCDate()),
    D: () => again('%m/%d/%y'),
    e: () => String(date.getUTCDate()).padStart(2),
    F: () => again('%Y-%m-%d'),
    g: () => two(iso.year % 100),
    G: () => String(iso.year),
    H: () => two(hour),
    I: () => two(twelve),
    j: () => String(dayOfYear + 1).padStart(3, '0'),
    k: () => String(hour).padStart(2),
    l: () => String(twelve).padStart(2),
    m: () => two(date.getUTCMonth() + 1),
    M: () => two(date.getUTCMinutes()),
    p: () => (hour < 12 ? 'AM' : 'PM'),
    P: () => (hour < 12 ? 'am' : 'pm'),
    r: () => again('%I:%M:%S %p'),
    R: () => again('%H:%M'),
    s: () => String(seconds),
    S: () => two(date.getUTCSeconds()),
    T: () => again('%H:%M:%S'),
    u: () => String(weekday === 0 ? 7 : weekday),
    U: () => two(Math.floor((dayOfYear + 7 - weekday) / 7)),
    V: () => two(iso.week),
    w: () => String(weekday),
    W: () => two(Math.floor((dayOfYear + 7 - ((weekday + 6) % 7)) / 7)),
    x: () => again('%m/%d/%y'),
    X: () => again('%H:%M:%S'),
    y: () => two(((year % 100) + 100) % 100),
    Y: () => String(year),
    z: () => '+0000',
    Z: () => (utc ? 'GMT' : 'UTC'),
  }
  return format.replaceAll(
    /%([-_0^#+]*[0-9]*[EO]?)([\s\S]|$)/g,
    (whole: string, flags: string, letter: string): string => {
      const value = values[letter]
      if (!value) throw new Unsupported(`awk strftime with ${whole}`, 'another format')
      if (flags === '' || flags === 'E' || flags === 'O') return value()
      if (flags === '-') return value().replace(/^[0 ]+(?=.)/, '')
      if (flags === '^') return value().toUpperCase()
      throw new Unsupported(`awk strftime with ${whole}`, 'the format without its flags')
    },
  )
}

/** Weeks start on Monday; the first week contains the first Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS)
  const year = thursday.getUTCFullYear()
  return { year, week: 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) }
}
