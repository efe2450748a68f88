// The fields of a time, as in C's `struct tm`, and how missing fields are computed.

/** The fields of C's `struct tm`. Fields that no directive sets keep their value. */
export interface TimeFields {
  second: number
  minute: number
  hour: number
  day: number
  month: number
  /** Years since 1900. */
  year: number
  weekday: number
  dayOfYear: number
  /** Offset in seconds east of UTC. */
  offset: number
}

/** Values that determine fields only in combination. */
export interface Pending {
  century: number | null
  yearOfCentury: boolean
  hour12: boolean
  afternoon: boolean
  haveDay: boolean
  haveMonth: boolean
  haveYear: boolean
  haveWeekday: boolean
  haveDayOfYear: boolean
  /** For `%U` or `%W`: the week number and the first day of the week. */
  week: { readonly number: number; readonly firstDay: number } | null
}

/** Computes fields that follow from others. */
export function complete(fields: TimeFields, pending: Pending): void {
  if (pending.hour12 && pending.afternoon) fields.hour += 12
  if (pending.century !== null) {
    fields.year = pending.yearOfCentury
      ? (fields.year % 100) + (pending.century - 19) * 100
      : (pending.century - 19) * 100
    pending.haveYear = true
  }
  const haveDate = pending.haveMonth && pending.haveDay
  if (!haveDate && pending.haveDayOfYear) {
    const date = new Date(Date.UTC(2000, 0, 1))
    date.setUTCFullYear(fields.year + 1900, 0, 1 + fields.dayOfYear)
    if (!pending.haveMonth) fields.month = date.getUTCMonth()
    if (!pending.haveDay) fields.day = date.getUTCDate()
  }
  const wantsWeekday = !pending.haveWeekday && (pending.haveYear || pending.haveMonth || pending.haveDay)
  if (wantsWeekday || (pending.haveWeekday && haveDate)) fields.weekday = weekdayOf(fields)
  if (!pending.haveDayOfYear && (pending.haveYear || pending.haveMonth || pending.haveDay))
    fields.dayOfYear = dayOfYear(fields)
  if (pending.week !== null && pending.haveWeekday && !haveDate) inWeek(fields, pending.week)
}

function inWeek(fields: TimeFields, { number, firstDay }: NonNullable<Pending['week']>): void {
  const january = { ...fields, month: 0, day: 1 }
  const offset = firstDay
  const day =
    ((7 - (weekdayOf(january) - offset)) % 7) + (number - 1) * 7 + ((fields.weekday - offset + 7) % 7)
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(fields.year + 1900, 0, 1 + day)
  fields.month = date.getUTCMonth()
  fields.day = date.getUTCDate()
  fields.dayOfYear = dayOfYear(fields)
}

function utcOf({ year, month, day }: TimeFields): Date {
  const date = new Date(0)
  date.setUTCFullYear(year + 1900, month, day)
  return date
}

function weekdayOf(fields: TimeFields): number {
  return utcOf(fields).getUTCDay()
}

/** Day of the year, starting at 0. */
export function dayOfYear(fields: TimeFields): number {
  const first = new Date(0)
  first.setUTCFullYear(fields.year + 1900, 0, 1)
  return Math.round((utcOf(fields).getTime() - first.getTime()) / 86_400_000)
}
