// Parses dates written by people (`date -d`), like GNU's `parse_datetime`.

import { dateTokens, type DateToken } from './date-tokens.ts'
import { timeOfFields, type ParsedTime, type DateFields } from './date-fields.ts'
import { zoneOf, type Zone } from './zone.ts'

/**
 * The time that `text` means; null if GNU rejects it. `nowMs` is the current time. Throws an `Unsupported` for a time
 * zone.
 */
export function parseDate(text: string, nowMs: number, given: Zone): ParsedTime | null {
  const [prefix, name] = /^\s*TZ="([^"\\]*)"\s*/.exec(text) ?? []
  const zone = name === undefined ? given : zoneOf(name, 'date')
  const rest = text.slice(prefix?.length ?? 0)
  const [, seconds, fraction = ''] = /^\s*@\s*([+-]?\d{1,15})(?:[.,](\d+))?\s*$/.exec(rest) ?? []
  if (seconds !== undefined) {
    const nanoseconds = Number(fraction.slice(0, 9).padEnd(9, '0'))
    return seconds.startsWith('-') && nanoseconds > 0
      ? { seconds: Number(seconds) - 1, nanoseconds: 1e9 - nanoseconds }
      : { seconds: Number(seconds), nanoseconds }
  }
  const tokens = dateTokens(rest)
  if (!tokens) return null
  const now = new Date(nowMs + zone.at(nowMs).offset * 1000)
  const fields: DateFields = {
    year: null,
    month: now.getUTCMonth(),
    day: now.getUTCDate(),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
    second: now.getUTCSeconds(),
    nanoseconds: (((nowMs % 1000) + 1000) % 1000) * 1_000_000,
    meridian: null,
    weekday: 0,
    ordinal: 0,
    zone: 0,
    dates: 0,
    times: 0,
    days: 0,
    zones: 0,
    rels: 0,
    rel: { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 },
  }
  for (let at = 0; at < tokens.length;) {
    const next = item(tokens, at, fields)
    if (next === null) return null
    at = next
  }
  return timeOfFields(fields, now, zone)
}

type Kind = DateToken['kind']

/** Parses one item. Returns the index of the next token, or null. */
function item(tokens: readonly DateToken[], at: number, fields: DateFields): number | null {
  const token = tokens[at]
  const is = (offset: number, kind: Kind): boolean => tokens[at + offset]?.kind === kind
  const marked = (offset: number, mark: string): boolean => {
    const one = tokens[at + offset]
    return one?.kind === 'mark' && one.mark === mark
  }
  const value = (offset: number): number => {
    const one = tokens[at + offset]
    return one && 'value' in one ? one.value : 0
  }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no item begins with another token
  switch (token?.kind) {
    case 'number':
      if (marked(1, ':')) return time(tokens, at, fields)
      if (is(1, 'meridian')) {
        setTime(fields, token.value, 0, 0, 0)
        fields.meridian = value(1)
        return at + 2
      }
      if (marked(1, '/') && is(2, 'number')) {
        if (!(marked(3, '/') && is(4, 'number'))) {
          setDate(fields, null, token.value, value(2))
          return at + 3
        }
        if (token.digits >= 4) setDate(fields, token, value(2), value(4))
        else setDate(fields, yearOf(tokens[at + 4]), token.value, value(2))
        return at + 5
      }
      if (is(1, 'month')) {
        const year = tokens[at + 2]
        const withYear = year?.kind === 'signed' || year?.kind === 'number'
        setDate(fields, withYear ? yearOf(year) : null, value(1) + 1, token.value)
        return at + (withYear ? 3 : 2)
      }
      if (is(1, 'signed') && is(2, 'signed') && value(1) <= 0 && value(2) <= 0) {
        setDate(fields, token, -value(1), -value(2))
        return is(3, 'T') ? clock(tokens, at + 4, fields) : at + 3
      }
      if (is(1, 'unit')) return relative(tokens, at + 1, token.value, fields)
      if (is(1, 'day')) {
        weekday(fields, value(1), token.value)
        return at + 2
      }
      pureNumber(fields, token)
      return at + 1
    case 'signed':
      return is(1, 'unit') ? relative(tokens, at + 1, token.value, fields) : null
    case 'ordinal':
      if (is(1, 'unit')) return relative(tokens, at + 1, token.value, fields)
      if (!is(1, 'day')) return null
      weekday(fields, value(1), token.value)
      return at + 2
    case 'unit':
      return relative(tokens, at, 1, fields)
    case 'shift':
      fields.rel.day += token.value
      fields.rels++
      return at + 1
    case 'now':
      fields.rels++
      return at + 1
    case 'day':
      weekday(fields, token.value, 0)
      return at + (marked(1, ',') ? 2 : 1)
    case 'month':
      return monthFirst(tokens, at, fields)
    case 'zone': {
      const offset = tokens[at + 1]
      fields.zones++
      fields.zone = token.value
      if (is(1, 'dst')) {
        fields.zone += 3600
        return at + 2
      }
      if (offset?.kind !== 'signed') return at + 1
      // A relative time directly after a zone does not accept `ago`.
      if (is(2, 'unit')) return is(3, 'ago') ? null : at + 1
      return zoneOffset(tokens, at + 1, fields, token.value)
    }
    // `T` is a military time zone, unless it follows a date.
    case 'T':
      fields.zones++
      fields.zone = -7 * 3600
      return at + 1
    default:
      return null
  }
}

function monthFirst(tokens: readonly DateToken[], at: number, fields: DateFields): number | null {
  const [month, day, third, fourth] = tokens.slice(at, at + 4)
  if (month?.kind !== 'month') return null
  if (day?.kind === 'signed' && third?.kind === 'signed') {
    setDate(fields, yearOf(third), month.value + 1, -day.value)
    return at + 3
  }
  if (day?.kind !== 'number') return null
  if (third?.kind === 'mark' && third.mark === ',' && fourth?.kind === 'number') {
    setDate(fields, yearOf(fourth), month.value + 1, day.value)
    return at + 4
  }
  setDate(fields, null, month.value + 1, day.value)
  return at + 2
}

/** Parses `5 days`, `-1 month` or `2 weeks ago`. `at` is the position of the unit. */
function relative(
  tokens: readonly DateToken[],
  at: number,
  count: number,
  fields: DateFields,
): number | null {
  const unit = tokens[at]
  if (unit?.kind !== 'unit') return null
  const ago = tokens[at + 1]?.kind === 'ago'
  fields.rel[unit.unit] += count * unit.value * (ago ? -1 : 1)
  fields.rels++
  return at + (ago || tokens[at + 1]?.kind === 'hence' ? 2 : 1)
}

/** Parses the time after a date and `T`. A lone hour is allowed if an offset follows. */
function clock(tokens: readonly DateToken[], at: number, fields: DateFields): number | null {
  const next = tokens[at + 1]
  if (next?.kind === 'mark' && next.mark === ':') return time(tokens, at, fields)
  const hour = tokens[at]
  if (hour?.kind !== 'number') return null
  setTime(fields, hour.value, 0, 0, 0)
  return zoneOffset(tokens, at + 1, fields, 0, true)
}

/** Parses `10:30` or `10:30:15.5`, with `am`, `pm` or an offset. */
function time(tokens: readonly DateToken[], at: number, fields: DateFields): number | null {
  const [hour, , minute, colon, second] = tokens.slice(at, at + 5)
  if (hour?.kind !== 'number' || minute?.kind !== 'number') return null
  let next = at + 3
  let seconds = 0
  let nanoseconds = 0
  if (colon?.kind === 'mark' && colon.mark === ':') {
    if (second?.kind !== 'number' && !(second?.kind === 'decimal' && !second.signed)) return null
    seconds = second.value
    nanoseconds = second.kind === 'decimal' ? second.nanoseconds : 0
    next = at + 5
  }
  setTime(fields, hour.value, minute.value, seconds, nanoseconds)
  const after = tokens[next]
  if (after?.kind === 'meridian') {
    fields.meridian = after.value
    return next + 1
  }
  return after?.kind === 'signed' ? zoneOffset(tokens, next, fields, 0, true) : next
}

/** Parses `+2`, `+0200` or `+02:00`, which is added to `base`. */
function zoneOffset(
  tokens: readonly DateToken[],
  at: number,
  fields: DateFields,
  base: number,
  counts = false,
): number | null {
  const [offset, colon, minutes] = tokens.slice(at, at + 3)
  if (offset?.kind !== 'signed') return null
  const colons = colon?.kind === 'mark' && colon.mark === ':' && minutes?.kind === 'number'
  const size = Math.abs(offset.value)
  const total = colons
    ? size * 60 + minutes.value
    : offset.digits <= 2
      ? size * 60
      : Math.floor(size / 100) * 60 + (size % 100)
  if (total > 24 * 60) return null
  if (counts) fields.zones++
  fields.zone = base + (offset.negative ? -1 : 1) * total * 60
  return at + (colons ? 3 : 1)
}

/** Parses a number alone: the year of a date, a date (20240131), or a time (1530). */
function pureNumber(fields: DateFields, { value, digits }: { value: number; digits: number }): void {
  if (fields.dates > 0 && fields.year === null && fields.rels === 0 && (fields.times > 0 || digits > 2))
    fields.year = { value, digits }
  else if (digits > 4) {
    const date = Math.floor(value / 10_000)
    setDate(fields, { value: date, digits: digits - 4 }, Math.floor(value / 100) % 100, value % 100)
  } else if (digits <= 2) setTime(fields, value, 0, 0, 0)
  else setTime(fields, Math.floor(value / 100), value % 100, 0, 0)
}

function setDate(
  fields: DateFields,
  year: { readonly value: number; readonly digits: number } | null,
  month: number,
  day: number,
): void {
  fields.dates++
  if (year) fields.year = { value: year.value, digits: year.digits }
  fields.month = month - 1
  fields.day = day
}

function setTime(
  fields: DateFields,
  hour: number,
  minute: number,
  second: number,
  nanoseconds: number,
): void {
  Object.assign(fields, { hour, minute, second, nanoseconds, meridian: null, times: fields.times + 1 })
}

function weekday(fields: DateFields, day: number, ordinal: number): void {
  fields.days++
  fields.weekday = day
  fields.ordinal = ordinal
}

function yearOf(token: DateToken | undefined): { value: number; digits: number } | null {
  if (token?.kind === 'number') return { value: token.value, digits: token.digits }
  return token?.kind === 'signed' ? { value: Math.abs(token.value), digits: token.digits } : null
}
