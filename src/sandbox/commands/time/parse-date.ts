// Dates as people write them (`date -d`), as GNU's `parse_datetime` understands them.

import { dateTokens, type DateToken } from './date-tokens.ts'
import { meant, type ParsedTime, type Said } from './said-date.ts'
import { zoneOf, type Zone } from './zone.ts'

/** The time that `text` means; null if GNU calls it invalid. `nowMs`: the present. Throws an `Unsupported` for a zone. */
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
  const said: Said = {
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
    const next = item(tokens, at, said)
    if (next === null) return null
    at = next
  }
  return meant(said, now, zone)
}

type Kind = DateToken['kind']

/** Reads one item; returns the place of the next, or null. */
function item(tokens: readonly DateToken[], at: number, said: Said): number | null {
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
      if (marked(1, ':')) return time(tokens, at, said)
      if (is(1, 'meridian')) {
        setTime(said, token.value, 0, 0, 0)
        said.meridian = value(1)
        return at + 2
      }
      if (marked(1, '/') && is(2, 'number')) {
        if (!(marked(3, '/') && is(4, 'number'))) {
          setDate(said, null, token.value, value(2))
          return at + 3
        }
        if (token.digits >= 4) setDate(said, token, value(2), value(4))
        else setDate(said, yearOf(tokens[at + 4]), token.value, value(2))
        return at + 5
      }
      if (is(1, 'month')) {
        const year = tokens[at + 2]
        const withYear = year?.kind === 'signed' || year?.kind === 'number'
        setDate(said, withYear ? yearOf(year) : null, value(1) + 1, token.value)
        return at + (withYear ? 3 : 2)
      }
      if (is(1, 'signed') && is(2, 'signed') && value(1) <= 0 && value(2) <= 0) {
        setDate(said, token, -value(1), -value(2))
        return is(3, 'T') ? clock(tokens, at + 4, said) : at + 3
      }
      if (is(1, 'unit')) return relative(tokens, at + 1, token.value, said)
      if (is(1, 'day')) {
        weekday(said, value(1), token.value)
        return at + 2
      }
      pureNumber(said, token)
      return at + 1
    case 'signed':
      return is(1, 'unit') ? relative(tokens, at + 1, token.value, said) : null
    case 'ordinal':
      if (is(1, 'unit')) return relative(tokens, at + 1, token.value, said)
      if (!is(1, 'day')) return null
      weekday(said, value(1), token.value)
      return at + 2
    case 'unit':
      return relative(tokens, at, 1, said)
    case 'shift':
      said.rel.day += token.value
      said.rels++
      return at + 1
    case 'now':
      said.rels++
      return at + 1
    case 'day':
      weekday(said, token.value, 0)
      return at + (marked(1, ',') ? 2 : 1)
    case 'month':
      return monthFirst(tokens, at, said)
    case 'zone': {
      const offset = tokens[at + 1]
      said.zones++
      said.zone = token.value
      if (is(1, 'dst')) {
        said.zone += 3600
        return at + 2
      }
      if (offset?.kind !== 'signed') return at + 1
      // A relative time here takes no `ago`.
      if (is(2, 'unit')) return is(3, 'ago') ? null : at + 1
      return zoneOffset(tokens, at + 1, said, token.value)
    }
    // The letter of a military zone, unless it follows a date.
    case 'T':
      said.zones++
      said.zone = -7 * 3600
      return at + 1
    default:
      return null
  }
}

function monthFirst(tokens: readonly DateToken[], at: number, said: Said): number | null {
  const [month, day, third, fourth] = tokens.slice(at, at + 4)
  if (month?.kind !== 'month') return null
  if (day?.kind === 'signed' && third?.kind === 'signed') {
    setDate(said, yearOf(third), month.value + 1, -day.value)
    return at + 3
  }
  if (day?.kind !== 'number') return null
  if (third?.kind === 'mark' && third.mark === ',' && fourth?.kind === 'number') {
    setDate(said, yearOf(fourth), month.value + 1, day.value)
    return at + 4
  }
  setDate(said, null, month.value + 1, day.value)
  return at + 2
}

/** `5 days`, `-1 month`, `2 weeks ago`; `at` is the unit's place. */
function relative(tokens: readonly DateToken[], at: number, count: number, said: Said): number | null {
  const unit = tokens[at]
  if (unit?.kind !== 'unit') return null
  const ago = tokens[at + 1]?.kind === 'ago'
  said.rel[unit.unit] += count * unit.value * (ago ? -1 : 1)
  said.rels++
  return at + (ago || tokens[at + 1]?.kind === 'hence' ? 2 : 1)
}

/** A time after a date and `T`; hours alone are allowed there if an offset follows. */
function clock(tokens: readonly DateToken[], at: number, said: Said): number | null {
  const next = tokens[at + 1]
  if (next?.kind === 'mark' && next.mark === ':') return time(tokens, at, said)
  const hour = tokens[at]
  if (hour?.kind !== 'number') return null
  setTime(said, hour.value, 0, 0, 0)
  return zoneOffset(tokens, at + 1, said, 0, true)
}

/** `10:30`, `10:30:15.5`, with `am`, `pm` or an offset. */
function time(tokens: readonly DateToken[], at: number, said: Said): number | null {
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
  setTime(said, hour.value, minute.value, seconds, nanoseconds)
  const after = tokens[next]
  if (after?.kind === 'meridian') {
    said.meridian = after.value
    return next + 1
  }
  return after?.kind === 'signed' ? zoneOffset(tokens, next, said, 0, true) : next
}

/** `+2`, `+0200`, `+02:00`; added to `base`. */
function zoneOffset(
  tokens: readonly DateToken[],
  at: number,
  said: Said,
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
  if (counts) said.zones++
  said.zone = base + (offset.negative ? -1 : 1) * total * 60
  return at + (colons ? 3 : 1)
}

/** A number alone: the year of a date, a date (20240131), or a time (1530). */
function pureNumber(said: Said, { value, digits }: { value: number; digits: number }): void {
  if (said.dates > 0 && said.year === null && said.rels === 0 && (said.times > 0 || digits > 2))
    said.year = { value, digits }
  else if (digits > 4) {
    const date = Math.floor(value / 10_000)
    setDate(said, { value: date, digits: digits - 4 }, Math.floor(value / 100) % 100, value % 100)
  } else if (digits <= 2) setTime(said, value, 0, 0, 0)
  else setTime(said, Math.floor(value / 100), value % 100, 0, 0)
}

function setDate(
  said: Said,
  year: { readonly value: number; readonly digits: number } | null,
  month: number,
  day: number,
): void {
  said.dates++
  if (year) said.year = { value: year.value, digits: year.digits }
  said.month = month - 1
  said.day = day
}

function setTime(said: Said, hour: number, minute: number, second: number, nanoseconds: number): void {
  Object.assign(said, { hour, minute, second, nanoseconds, meridian: null, times: said.times + 1 })
}

function weekday(said: Said, day: number, ordinal: number): void {
  said.days++
  said.weekday = day
  said.ordinal = ordinal
}

function yearOf(token: DateToken | undefined): { value: number; digits: number } | null {
  if (token?.kind === 'number') return { value: token.value, digits: token.digits }
  return token?.kind === 'signed' ? { value: Math.abs(token.value), digits: token.digits } : null
}
