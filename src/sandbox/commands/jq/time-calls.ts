// The date calls of jq: convert between seconds and C's `struct tm`, in UTC and in the time zone TZ.

import { encode } from '../io/text.ts'
import { dayOfYear, type TimeFields } from '../time/fields.ts'
import { strptime } from '../time/strptime.ts'
import { fromLocal, zoneOf, type Zone } from '../time/zone.ts'
import type { JqCall } from './machine.ts'
import type { JqMemory } from './memory.ts'

/** The first fields of `struct tm`. Daylight saving follows, and the UTC offset is at byte 36. */
const FIELDS = ['second', 'minute', 'hour', 'day', 'month', 'year', 'weekday', 'dayOfYear'] as const
const SUMMER_AT = 32
const OFFSET_AT = 36

export function timeCalls(
  memory: JqMemory,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, JqCall>> {
  let known: Zone | null = null
  const zone = (): Zone => (known ??= zoneOf(env['TZ'], 'jq'))
  const read = (at: number): TimeFields => {
    const fields = {
      second: 0,
      minute: 0,
      hour: 0,
      day: 0,
      month: 0,
      year: 0,
      weekday: 0,
      dayOfYear: 0,
      offset: 0,
    }
    for (const [index, name] of FIELDS.entries()) fields[name] = memory.i32(at + index * 4)
    fields.offset = memory.i32(at + OFFSET_AT)
    return fields
  }
  const write = (at: number, fields: TimeFields): void => {
    for (const [index, name] of FIELDS.entries()) memory.setI32(at + index * 4, fields[name])
  }
  const writeDate = (at: number, ms: number): void => {
    const date = new Date(ms)
    const fields = {
      second: date.getUTCSeconds(),
      minute: date.getUTCMinutes(),
      hour: date.getUTCHours(),
      day: date.getUTCDate(),
      month: date.getUTCMonth(),
      year: date.getUTCFullYear() - 1900,
      weekday: date.getUTCDay(),
      dayOfYear: 0,
      offset: 0,
    }
    fields.dayOfYear = dayOfYear(fields)
    write(at, fields)
  }
  const msOf = (at: number): number => {
    const { year, month, day, hour, minute, second } = read(at)
    const date = new Date(0)
    date.setUTCFullYear(year + 1900, month, day)
    date.setUTCHours(hour, minute, second)
    return date.getTime()
  }
  const seconds = (ms: number): bigint => (Number.isNaN(ms) ? -1n : BigInt(Math.floor(ms / 1000)))
  const calls = {
    // gmtime
    r(time: bigint, at: number) {
      writeDate(at, Number(time) * 1000)
      memory.setI32(at + SUMMER_AT, 0)
      memory.setI32(at + OFFSET_AT, 0)
    },
    // localtime
    s(time: bigint, at: number) {
      const ms = Number(time) * 1000
      const { offset, summer } = zone().at(ms)
      writeDate(at, ms + offset * 1000)
      memory.setI32(at + SUMMER_AT, summer ? 1 : 0)
      memory.setI32(at + OFFSET_AT, offset)
    },
    // mktime
    t(at: number): bigint {
      const local = msOf(at)
      const ms = Number.isNaN(local) ? Number.NaN : (fromLocal(zone(), local)[0] ?? Number.NaN)
      if (!Number.isNaN(ms)) calls.s(seconds(ms), at)
      return seconds(ms)
    },
    // timegm
    u(at: number): bigint {
      const ms = msOf(at)
      if (!Number.isNaN(ms)) writeDate(at, ms)
      return seconds(ms)
    },
    // tzset
    v(timezone: number, daylight: number, winterName: number, summerName: number) {
      const times = [Date.UTC(2026, 0, 2), Date.UTC(2026, 6, 2)].map((ms) => zone().at(ms))
      const winter = times.find(({ summer }) => !summer)
      const summer = times.find((one) => one.summer)
      memory.setI32(timezone, -(winter?.offset ?? 0))
      memory.setI32(daylight, summer ? 1 : 0)
      memory.setText(winterName, winter?.name ?? '')
      memory.setText(summerName, summer?.name ?? winter?.name ?? '')
    },
    // strptime
    w(text: number, format: number, at: number): number {
      const fields = read(at)
      const given = memory.text(text)
      const end = strptime(given, memory.text(format), fields)
      if (end === null) return 0
      write(at, fields)
      memory.setI32(at + OFFSET_AT, fields.offset)
      return text + encode(given.slice(0, end)).length
    },
  }
  // The cast is safe: the module declares these functions with the same parameters.
  return calls as unknown as Readonly<Record<string, JqCall>>
}
