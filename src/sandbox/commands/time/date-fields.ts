// The fields parsed from a date, and the time that they mean.

import { Unsupported } from '../command.ts'
import type { Unit } from './date-tokens.ts'
import { fromLocal, type Zone } from './zone.ts'

export interface ParsedTime {
  readonly seconds: number
  readonly nanoseconds: number
}

/** Parsed values. The plural fields count how many dates, times, days, zones and relative times were found. */
export interface DateFields {
  year: { value: number; digits: number } | null
  month: number
  day: number
  hour: number
  minute: number
  second: number
  nanoseconds: number
  meridian: number | null
  weekday: number
  ordinal: number
  zone: number
  dates: number
  times: number
  days: number
  zones: number
  rels: number
  rel: Record<Unit, number>
}

/** The time that the fields mean; null if GNU rejects them. Throws an `Unsupported` for an ambiguous hour. */
export function timeOfFields(fields: DateFields, now: Date, zone: Zone): ParsedTime | null {
  if (fields.dates > 1 || fields.times > 1 || fields.days > 1 || fields.zones > 1) return null
  const year = fields.year ? fullYear(fields.year) : now.getUTCFullYear()
  let [hour, minute, second] = [0, 0, 0]
  let nanoseconds = 0
  if (fields.times > 0 || (fields.rels > 0 && fields.dates === 0 && fields.days === 0)) {
    ;({ minute, second, nanoseconds } = fields)
    if (fields.meridian !== null && (fields.hour < 1 || fields.hour > 12)) return null
    hour = fields.meridian === null ? fields.hour : (fields.hour % 12) + fields.meridian
  }
  const date = new Date(0)
  date.setUTCFullYear(year, fields.month, fields.day)
  date.setUTCHours(hour, minute, second)
  const changed =
    date.getUTCMonth() !== fields.month || date.getUTCDate() !== fields.day || date.getUTCHours() !== hour
  if (changed || minute > 59 || second > 59 || year > 9999) return null
  if (fields.days > 0 && fields.dates === 0) {
    const today = date.getUTCDay()
    const weeks = fields.ordinal - (fields.ordinal > 0 && today !== fields.weekday ? 1 : 0)
    date.setUTCDate(date.getUTCDate() + 7 * weeks + ((fields.weekday - today + 7) % 7))
  }
  const { rel } = fields
  date.setUTCFullYear(
    date.getUTCFullYear() + rel.year,
    date.getUTCMonth() + rel.month,
    date.getUTCDate() + rel.day,
  )
  const local = date.getTime()
  const there = fromLocal(zone, local)
  const [ms, twice] = fields.zones > 0 && there.length > 0 ? [local - fields.zone * 1000] : there
  if (twice !== undefined || (ms === undefined && (rel.year !== 0 || rel.month !== 0 || rel.day !== 0)))
    throw new Unsupported(
      'date with an hour that the zone repeats or leaves out',
      'a time with its offset (+0200)',
    )
  if (ms === undefined || Number.isNaN(ms)) return null
  return {
    seconds: Math.floor(ms / 1000) + rel.hour * 3600 + rel.minute * 60 + rel.second,
    nanoseconds,
  }
}

function fullYear({ value, digits }: { readonly value: number; readonly digits: number }): number {
  if (digits !== 2) return value
  return value + (value < 69 ? 2000 : 1900)
}
