// Splits a date written by a person (`date -d`) into tokens, like GNU's parser.

export type DateToken =
  /** The number without its sign. `digits` is the number of digits written. */
  | { readonly kind: 'number'; readonly value: number; readonly digits: number }
  | { readonly kind: 'signed'; readonly value: number; readonly digits: number; readonly negative: boolean }
  /** A number with a fraction, in nanoseconds. */
  | {
      readonly kind: 'decimal'
      readonly value: number
      readonly nanoseconds: number
      readonly signed: boolean
    }
  | { readonly kind: 'month' | 'day' | 'meridian' | 'ordinal' | 'shift'; readonly value: number }
  | { readonly kind: 'unit'; readonly unit: Unit; readonly value: number }
  /** Offset in seconds east of UTC. */
  | { readonly kind: 'zone'; readonly value: number }
  | { readonly kind: 'now' | 'ago' | 'hence' | 'dst' | 'T' }
  | { readonly kind: 'mark'; readonly mark: string }

export type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

const MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(
  ' ',
)
const DAYS = 'SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY'.split(' ')
const SHORT_DAYS: Readonly<Record<string, number>> = { TUES: 2, WEDNES: 3, THUR: 4, THURS: 4 }
const ORDINALS = 'THIS FIRST - THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH ELEVENTH TWELFTH'.split(
  ' ',
)
const UNITS: Readonly<Record<string, readonly [unit: Unit, times: number]>> = {
  YEAR: ['year', 1],
  MONTH: ['month', 1],
  FORTNIGHT: ['day', 14],
  WEEK: ['day', 7],
  DAY: ['day', 1],
  HOUR: ['hour', 1],
  MINUTE: ['minute', 1],
  MIN: ['minute', 1],
  SECOND: ['second', 1],
  SEC: ['second', 1],
}
/** Offsets in hours east of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  GMT: 0,
  UT: 0,
  UTC: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  CET: 1,
  CEST: 2,
  MET: 1,
  MEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IST: 5.5,
  SGT: 8,
  KST: 9,
  JST: 9,
  NZST: 12,
  NZDT: 13,
}

/** Returns null if a word is unknown. */
export function dateTokens(text: string): readonly DateToken[] | null {
  const tokens: DateToken[] = []
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at)
    const [space = ''] = /^(?:\s+|\([^()]*\))/.exec(rest) ?? []
    if (space !== '') {
      at += space.length
      continue
    }
    // Repeated signs, and a sign before a word, are ignored like separators.
    const number = /^([+-]?)\s*(\d+)(?:[.,](\d+))?/.exec(rest)
    if (number) {
      const [all, sign = '', digits = '', fraction] = number
      if (digits.length > 15) return null
      const negative = sign === '-'
      const value = Number(digits) * (negative ? -1 : 1)
      tokens.push(
        fraction === undefined
          ? sign === ''
            ? { kind: 'number', value, digits: digits.length }
            : { kind: 'signed', value, digits: digits.length, negative }
          : decimal(value, fraction, negative, sign !== ''),
      )
      at += all.length
      continue
    }
    const [word = ''] = /^[A-Za-z][A-Za-z.]*/.exec(rest) ?? []
    if (word !== '') {
      const token = wordToken(word.toUpperCase())
      if (!token) return null
      tokens.push(token)
      at += word.length
      continue
    }
    if (!/^[-+]/.test(rest)) tokens.push({ kind: 'mark', mark: rest[0] ?? '' })
    at++
  }
  return tokens
}

function decimal(value: number, fraction: string, negative: boolean, signed: boolean): DateToken {
  const nanoseconds = Number(fraction.slice(0, 9).padEnd(9, '0'))
  // Rounds toward the past: -1.5 s is -2 s plus half a second.
  if (!negative || nanoseconds === 0) return { kind: 'decimal', value, nanoseconds, signed }
  return { kind: 'decimal', value: value - 1, nanoseconds: 1e9 - nanoseconds, signed }
}

function wordToken(word: string): DateToken | null {
  if (/^A\.?M\.?$/.test(word)) return { kind: 'meridian', value: 0 }
  if (/^P\.?M\.?$/.test(word)) return { kind: 'meridian', value: 12 }
  const short = /^[A-Z]{3}\.?$/.test(word) ? word.slice(0, 3) : null
  const find = (names: readonly string[]): number =>
    names.findIndex((name) => name === word || (short !== null && name.startsWith(short)))
  const month = word === 'SEPT' ? 8 : find(MONTHS)
  if (month !== -1) return { kind: 'month', value: month }
  const day = SHORT_DAYS[word] ?? find(DAYS)
  if (day !== -1) return { kind: 'day', value: day }
  if (Object.hasOwn(ZONES, word)) return { kind: 'zone', value: (ZONES[word] ?? 0) * 3600 }
  if (word === 'DST') return { kind: 'dst' }
  const unit = UNITS[word] ?? UNITS[word.replace(/S$/, '')]
  if (unit) return { kind: 'unit', unit: unit[0], value: unit[1] }
  if (word === 'NOW') return { kind: 'now' }
  if (word === 'TODAY') return { kind: 'shift', value: 0 }
  if (word === 'TOMORROW') return { kind: 'shift', value: 1 }
  if (word === 'YESTERDAY') return { kind: 'shift', value: -1 }
  if (word === 'AGO') return { kind: 'ago' }
  if (word === 'HENCE') return { kind: 'hence' }
  if (word === 'LAST') return { kind: 'ordinal', value: -1 }
  if (word === 'NEXT') return { kind: 'ordinal', value: 1 }
  const ordinal = ORDINALS.indexOf(word)
  if (ordinal !== -1) return { kind: 'ordinal', value: ordinal }
  if (word === 'T') return { kind: 'T' }
  if (word.length !== 1 || word === 'J') return null
  // Military time zones: A to M (without J) are east of UTC, N to Y west.
  const letter = word === 'Z' ? 0 : 'ABCDEFGHIKLM'.indexOf(word) + 1 || -('NOPQRSTUVWXY'.indexOf(word) + 1)
  return { kind: 'zone', value: letter * 3600 }
}
