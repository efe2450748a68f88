// What a text says about a date, and the time that this means.

import { Unsupported } from '../command.ts'
import type { Unit } from './date-tokens.ts'
import { fromLocal, type Zone } from './zone.ts'

export interface ParsedTime {
  readonly seconds: number
  readonly nanoseconds: number
}

/** What a text says. */
export interface Said {
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

/** The time of what was said, with what it leaves out. */
export function meant(said: Said, now: Date, zone: Zone): ParsedTime | null {
  if (said.dates > 1 || said.times > 1 || said.days > 1 || said.zones > 1) return null
  const year = said.year ? fullYear(said.year) : now.getUTCFullYear()
  let [hour, minute, second] = [0, 0, 0]
  let nanoseconds = 0
  if (said.times > 0 || (said.rels > 0 && said.dates === 0 && said.days === 0)) {
    ;({ minute, second, nanoseconds } = said)
    if (said.meridian !== null && (said.hour < 1 || said.hour > 12)) return null
    hour = said.meridian === null ? said.hour : (said.hour % 12) + said.meridian
  }
  const fields = new Date(0)
  fields.setUTCFullYear(year, said.month, said.day)
  fields.setUTCHours(hour, minute, second)
  const changed =
    fields.getUTCMonth() !== said.month || fields.getUTCDate() !== said.day || fields.getUTCHours() !== hour
  if (changed || minute > 59 || second > 59 || year > 9999) return null
  if (said.days > 0 && said.dates === 0) {
    const today = fields.getUTCDay()
    const weeks = said.ordinal - (said.ordinal > 0 && today !== said.weekday ? 1 : 0)
    fields.setUTCDate(fields.getUTCDate() + 7 * weeks + ((said.weekday - today + 7) % 7))
  }
  const { rel } = said
  fields.setUTCFullYear(
    fields.getUTCFullYear() + rel.year,
    fields.getUTCMonth() + rel.month,
    fields.getUTCDate() + rel.day,
  )
  const local = fields.getTime()
  const there = fromLocal(zone, local)
  const [ms, twice] = said.zones > 0 && there.length > 0 ? [local - said.zone * 1000] : there
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
