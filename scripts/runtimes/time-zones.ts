// Time zones for Python's zoneinfo, in the format TZif (RFC 9636), from the tables of the package moment-timezone. A
// rule in the file's last line replaces the years in which the zone follows it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { zoneRule, type Zone, type ZonePeriod } from './time-zone-rule.ts'

const TABLES = 'node_modules/moment-timezone/data/packed/latest.json'
/** Daylight saving never lasts a year. */
const DAYLIGHT_MAX_S = 350 * 86_400
const INT32 = 2 ** 31

interface PackedZones {
  readonly version: string
  readonly zones: readonly string[]
  readonly links: readonly string[]
}

/** All zones by name, as files of `/usr/share/zoneinfo`. Throws if a table has an unknown form. */
export function timeZones(root: string): ReadonlyMap<string, Uint8Array> {
  // The cast is safe: package-lock.json pins the package.
  const packed = JSON.parse(readFileSync(join(root, TABLES), 'utf8')) as PackedZones
  const files = new Map<string, Uint8Array>()
  for (const text of packed.zones) {
    const [name = ''] = text.split('|')
    files.set(name, zoneFile(unpackZone(text)))
  }
  for (const link of packed.links) {
    const [target = '', alias = ''] = link.split('|')
    const bytes = files.get(target)
    if (!bytes) throw new Error(`the time zone ${alias} is a link to ${target}, which does not exist`)
    files.set(alias, bytes)
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function unpackZone(text: string): Zone {
  const [, abbreviations = '', offsets = '', indices = '', untils = ''] = text.split('|')
  const abbreviationList = abbreviations.split(' ')
  const offsetList = offsets.split(' ').map((offset) => Math.round(base60(offset) * -60))
  const kinds = Array.from(indices, (digit) => base60(digit))
  let minutes = 0
  const ends =
    untils === '' ? [] : untils.split(' ').map((delta) => Math.round((minutes += base60(delta)) * 60))
  const length = kinds.length
  const known = ends.slice(0, length - 1)
  const periods = kinds.map((kind, index) => {
    const offset = offsetList[kind] ?? 0
    const [before, after] = [offsetList[kinds[index - 1] ?? -1], offsetList[kinds[index + 1] ?? -1]]
    const seconds = (known[index] ?? Infinity) - (known[index - 1] ?? -Infinity)
    const isDaylight =
      before !== undefined && offset > Math.min(before, after ?? before) && seconds < DAYLIGHT_MAX_S
    return { abbreviation: abbreviationList[kind] ?? '', offset, isDaylight }
  })
  return { periods, untils: known }
}

/** A number in the package's notation: digits 0-9, a-z, A-X, with an optional fraction. */
function base60(text: string): number {
  const negative = text.startsWith('-')
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  let value = 0
  for (const digit of whole) value = value * 60 + digitOf(digit)
  let unit = 1
  for (const digit of fraction) value += (unit /= 60) * digitOf(digit)
  return negative ? -value : value
}

function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 48
  return code > 96 ? code - 87 : code > 64 ? code - 29 : code - 48
}

/** The zone in the format TZif, version 2. */
function zoneFile(zone: Zone): Uint8Array {
  const { rule, from } = zoneRule(zone)
  // The rule covers the transitions from this one on.
  const ruled = { periods: zone.periods.slice(0, from + 1), untils: zone.untils.slice(0, from) }
  return Buffer.concat([
    // dateutil reads only this block, which has no rule: without its transitions, all times would be UTC.
    block(within32Bits(zone), 4),
    block(ruled, 8),
    new TextEncoder().encode(`\n${rule}\n`),
  ])
}

/** The part of a zone that 32-bit times can express, from 1901 to 2038. */
function within32Bits({ periods, untils }: Zone): Zone {
  const earlier = untils.filter((until) => until < -INT32).length
  const known = untils.slice(earlier).filter((until) => until < INT32)
  return { periods: periods.slice(earlier, earlier + known.length + 1), untils: known }
}

/** Header and data of one version, with times of this many bytes. */
function block({ periods, untils }: Zone, timeBytes: 4 | 8): Uint8Array {
  const kinds = new Map<string, { readonly index: number; readonly period: ZonePeriod }>()
  const indices = periods.map((period) => {
    const key = JSON.stringify(period)
    const known = kinds.get(key) ?? { index: kinds.size, period }
    kinds.set(key, known)
    return known.index
  })
  const names = [...new Set(periods.map(({ abbreviation }) => abbreviation))]
  const nameBytes = new TextEncoder().encode(names.map((name) => `${name}\0`).join(''))
  const nameAt = (name: string): number =>
    names.slice(0, names.indexOf(name)).reduce((sum, earlier) => sum + earlier.length + 1, 0)
  const body = new DataView(new ArrayBuffer(untils.length * (timeBytes + 1) + kinds.size * 6))
  for (const [index, until] of untils.entries()) {
    if (timeBytes === 8) body.setBigInt64(index * 8, BigInt(until))
    else body.setInt32(index * 4, until)
    body.setUint8(untils.length * timeBytes + index, indices[index + 1] ?? 0)
  }
  for (const { index, period } of kinds.values()) {
    const at = untils.length * (timeBytes + 1) + index * 6
    body.setInt32(at, period.offset)
    body.setUint8(at + 4, period.isDaylight ? 1 : 0)
    body.setUint8(at + 5, nameAt(period.abbreviation))
  }
  return Buffer.concat([
    header(untils.length, kinds.size, nameBytes.length),
    new Uint8Array(body.buffer),
    nameBytes,
  ])
}

function header(times: number, kinds: number, nameBytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(44))
  for (const [index, letter] of Array.from('TZif2').entries())
    view.setUint8(index, letter.codePointAt(0) ?? 0)
  view.setUint32(32, times)
  view.setUint32(36, kinds)
  view.setUint32(40, nameBytes)
  return new Uint8Array(view.buffer)
}
