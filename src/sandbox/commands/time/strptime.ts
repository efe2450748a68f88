// `strptime` as in glibc, for the C locale: parses the fields of a time.

import { complete, dayOfYear, type Pending, type TimeFields } from './fields.ts'

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** Directives that abbreviate several others. */
const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
}

/** Sets `fields` from `text`. Returns the position after the matched text, or null if it does not match. */
export function strptime(text: string, format: string, fields: TimeFields): number | null {
  const pending: Pending = {
    century: null,
    yearOfCentury: false,
    hour12: false,
    afternoon: false,
    haveDay: false,
    haveMonth: false,
    haveYear: false,
    haveWeekday: false,
    haveDayOfYear: false,
    week: null,
  }
  const end = matched(text, 0, format, fields, pending)
  if (end !== null) complete(fields, pending)
  return end
}

function matched(
  text: string,
  from: number,
  format: string,
  fields: TimeFields,
  pending: Pending,
): number | null {
  let at = from
  for (let index = 0; index < format.length; index++) {
    const letter = format[index] ?? ''
    if (isSpace(letter)) {
      at = spaces(text, at)
      continue
    }
    if (letter !== '%') {
      if (text[at] !== letter) return null
      at++
      continue
    }
    // glibc's flags and modifiers are accepted without effect.
    while (/[-_0^#EO]/.test(format[index + 1] ?? '')) index++
    const next = directive(text, at, format[++index] ?? '', fields, pending)
    if (next === null) return null
    at = next
  }
  return at
}

function directive(
  text: string,
  at: number,
  letter: string,
  fields: TimeFields,
  pending: Pending,
): number | null {
  const composed = COMPOSED[letter]
  if (composed !== undefined) return matched(text, at, composed, fields, pending)
  const number = (low: number, high: number, digits: number, set: (value: number) => void): number | null => {
    let end = at
    while (text[end] === ' ') end++
    let value = 0
    let count = 0
    for (; count < digits && /\d/.test(text[end] ?? ''); count++, end++)
      value = value * 10 + Number(text[end])
    if (count === 0 || value < low || value > high) return null
    set(value)
    return end
  }
  const word = (names: readonly string[], set: (index: number) => void): number | null => {
    const rest = text.slice(at).toLowerCase()
    for (const [index, name] of names.entries())
      for (const form of [name, name.slice(0, 3)])
        if (rest.startsWith(form)) {
          set(index)
          return at + form.length
        }
    return null
  }
  switch (letter) {
    case '%':
      return text[at] === '%' ? at + 1 : null
    case 'n':
    case 't':
      return spaces(text, at)
    case 'a':
    case 'A':
      return word(DAYS, (index) => {
        fields.weekday = index
        pending.haveWeekday = true
      })
    case 'b':
    case 'B':
    case 'h':
      return word(MONTHS, (index) => {
        fields.month = index
        pending.haveMonth = true
      })
    case 'C':
      return number(0, 99, 2, (value) => {
        pending.century = value
      })
    case 'd':
    case 'e':
      return number(1, 31, 2, (value) => {
        fields.day = value
        pending.haveDay = true
      })
    case 'H':
    case 'k':
      return number(0, 23, 2, (value) => {
        fields.hour = value
        pending.hour12 = false
      })
    case 'I':
    case 'l':
      return number(1, 12, 2, (value) => {
        fields.hour = value % 12
        pending.hour12 = true
      })
    case 'j':
      return number(1, 366, 3, (value) => {
        fields.dayOfYear = value - 1
        pending.haveDayOfYear = true
      })
    case 'm':
      return number(1, 12, 2, (value) => {
        fields.month = value - 1
        pending.haveMonth = true
      })
    case 'M':
      return number(0, 59, 2, (value) => {
        fields.minute = value
      })
    case 'p':
    case 'P': {
      const half = text.slice(at, at + 2).toLowerCase()
      if (half !== 'am' && half !== 'pm') return null
      pending.afternoon = half === 'pm'
      return at + 2
    }
    case 's':
      return epoch(text, at, fields)
    case 'S':
      return number(0, 61, 2, (value) => {
        fields.second = value
      })
    case 'u':
      return number(1, 7, 1, (value) => {
        fields.weekday = value % 7
        pending.haveWeekday = true
      })
    case 'w':
      return number(0, 6, 1, (value) => {
        fields.weekday = value
        pending.haveWeekday = true
      })
    case 'g':
      return number(0, 99, 2, () => {})
    case 'G':
      return number(0, 9999, 4, () => {})
    case 'U':
    case 'W':
      return number(0, 53, 2, (value) => {
        pending.week = { number: value, firstDay: letter === 'U' ? 0 : 1 }
      })
    case 'V':
      return number(0, 53, 2, () => {})
    case 'y':
      return number(0, 99, 2, (value) => {
        fields.year = value >= 69 ? value : value + 100
        pending.yearOfCentury = true
        pending.haveYear = true
      })
    case 'Y':
      return number(0, 9999, 4, (value) => {
        fields.year = value - 1900
        pending.century = null
        pending.yearOfCentury = false
        pending.haveYear = true
      })
    case 'Z':
      return at
    case 'z':
      return zone(text, at, fields)
    default:
      return null
  }
}

function epoch(text: string, at: number, fields: TimeFields): number | null {
  const [digits] = /^\d+/.exec(text.slice(at)) ?? []
  if (digits === undefined) return null
  const date = new Date(Number(digits) * 1000)
  fields.second = date.getUTCSeconds()
  fields.minute = date.getUTCMinutes()
  fields.hour = date.getUTCHours()
  fields.day = date.getUTCDate()
  fields.month = date.getUTCMonth()
  fields.year = date.getUTCFullYear() - 1900
  fields.weekday = date.getUTCDay()
  fields.dayOfYear = dayOfYear(fields)
  return at + digits.length
}

function zone(text: string, from: number, fields: TimeFields): number | null {
  const at = spaces(text, from)
  if (text[at] === 'Z') {
    fields.offset = 0
    return at + 1
  }
  const [all, sign = '', hours = '', minutes = '0'] = /^([+-])(\d\d)(?::?(\d\d))?/.exec(text.slice(at)) ?? []
  if (all === undefined || Number(hours) > 14 || Number(minutes) > 59) return null
  fields.offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  return at + all.length
}

function spaces(text: string, from: number): number {
  let at = from
  while (isSpace(text[at] ?? '')) at++
  return at
}

function isSpace(letter: string): boolean {
  return letter !== '' && ' \t\n\v\f\r'.includes(letter)
}
