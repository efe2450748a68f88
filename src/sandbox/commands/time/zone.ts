// Resolves the value of TZ: names of the IANA database, and fixed offsets.

import { Unsupported } from '../command.ts'

export interface ZoneTime {
  /** Offset in seconds east of UTC. */
  readonly offset: number
  /** The abbreviation that `date +%Z` prints; null if unknown. */
  readonly name: string | null
  readonly summer: boolean
}

export interface Zone {
  /** The offset and name at a time in ms since 1970. */
  at(ms: number): ZoneTime
}

const fixed = (offset: number, name: string): Zone => ({ at: () => ({ offset, name, summer: false }) })

export const UTC: Zone = fixed(0, 'UTC')

/** Winter and summer abbreviations of zones for which Intl does not always give English names. */
const NAMES: Readonly<Record<string, string>> = {
  'CET CEST':
    'Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Vienna Europe/Zurich Europe/Brussels ' +
    'Europe/Stockholm Europe/Oslo Europe/Copenhagen Europe/Prague Europe/Warsaw Europe/Budapest Europe/Belgrade ' +
    'Europe/Luxembourg Europe/Zagreb Europe/Ljubljana Europe/Bratislava CET',
  'EET EEST':
    'Europe/Athens Europe/Helsinki Europe/Kyiv Europe/Kiev Europe/Bucharest Europe/Sofia Europe/Riga Europe/Vilnius Europe/Tallinn EET',
  'WET WEST': 'Europe/Lisbon WET',
  'GMT BST': 'Europe/London',
  'GMT IST': 'Europe/Dublin',
  'MSK MSK': 'Europe/Moscow',
  'JST JST': 'Asia/Tokyo',
  'KST KST': 'Asia/Seoul',
  'IST IST': 'Asia/Kolkata Asia/Calcutta',
  'CST CST': 'Asia/Shanghai Asia/Taipei',
  'HKT HKT': 'Asia/Hong_Kong',
  'PKT PKT': 'Asia/Karachi',
  'WIB WIB': 'Asia/Jakarta',
  'IST IDT': 'Asia/Jerusalem',
  '+04 +04': 'Asia/Dubai',
  '+08 +08': 'Asia/Singapore',
  '+07 +07': 'Asia/Bangkok Asia/Ho_Chi_Minh',
  '+0545 +0545': 'Asia/Kathmandu',
  '+03 +03': 'Europe/Istanbul Asia/Riyadh',
  '-03 -03': 'America/Sao_Paulo America/Argentina/Buenos_Aires',
  'AEST AEDT': 'Australia/Sydney Australia/Melbourne Australia/Hobart',
  'AEST AEST': 'Australia/Brisbane',
  'ACST ACDT': 'Australia/Adelaide',
  'AWST AWST': 'Australia/Perth',
  'NZST NZDT': 'Pacific/Auckland',
  'EAT EAT': 'Africa/Nairobi',
  'SAST SAST': 'Africa/Johannesburg',
  'WAT WAT': 'Africa/Lagos',
  'EET EET': 'Africa/Tripoli',
  'GMT GMT': 'Africa/Accra',
}
const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(NAMES).flatMap(([pair, zones]) =>
    zones.split(' ').map((zone) => [zone, pair.split(' ')] as const),
  ),
)

/** Before this time, zones had local mean times and other names. */
const OLDEST_MS = Date.UTC(1970, 0, 1)
const DAY_MS = 86_400_000

/** The zone for the value `text` of TZ. Throws an `Unsupported` for POSIX rules and unknown names. */
export function zoneOf(text: string | undefined, command: string): Zone {
  const name = (text ?? '').replace(/^:/, '')
  if (/^(?:|UTC|Etc\/UTC|UTC0|Zulu|Etc\/Zulu|UCT|Universal)$/.test(name)) return UTC
  if (/^(?:GMT|GMT0|Etc\/GMT|Greenwich)$/.test(name)) return fixed(0, 'GMT')
  const [, letters, signs, sign, hours, minutes = '0'] =
    /^(?:([A-Za-z]{3,})|<([A-Za-z0-9+-]{3,})>)([+-]?)(\d{1,2})(?::(\d\d))?$/.exec(name) ?? []
  if (hours !== undefined) {
    const west = Number(hours) * 3600 + Number(minutes) * 60
    return fixed(sign === '-' ? west : -west || 0, letters ?? signs ?? '')
  }
  return named(name, command)
}

function named(name: string, command: string): Zone {
  const refused = (): Unsupported =>
    new Unsupported(`${command} in the zone TZ=${name}`, 'UTC, or an offset (TZ=UTC-2)')
  if (!/^(?:[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*|[A-Z]{3}\d[A-Z]{3})$/.test(name)) throw refused()
  let parts: Intl.DateTimeFormat
  let short: Intl.DateTimeFormat
  try {
    const fields = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const
    parts = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', era: 'short', ...fields })
    short = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'short' })
  } catch {
    throw refused()
  }
  const offsetAt = (ms: number): number => {
    if (ms < OLDEST_MS) throw refused()
    const found = new Map(parts.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const field = (type: Intl.DateTimeFormatPartTypes): number => found.get(type) ?? 0
    const local = Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    )
    return Math.round((local - Math.floor(ms / 1000) * 1000) / 1000)
  }
  const pair = ABBREVIATIONS.get(name)
  return {
    at(ms) {
      const offset = offsetAt(ms)
      const year = new Date(ms).getUTCFullYear()
      const [january, july] = [
        offsetAt(Math.max(OLDEST_MS, Date.UTC(year, 0, 2))),
        offsetAt(Date.UTC(year, 6, 2)),
      ]
      const summer = january !== july && offset === Math.max(january, july)
      const english = short.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const known = pair ? pair[summer ? 1 : 0] : /^[A-Z]{3,4}$/.test(english) ? english : undefined
      return { offset, name: known ?? null, summer }
    },
  }
}

/** The times in ms that have these local fields (given as if in UTC): none, one or two. */
export function fromLocal(zone: Zone, local: number): readonly number[] {
  const found = [local - DAY_MS / 2, local + DAY_MS / 2]
    .map((near) => local - zone.at(near).offset * 1000)
    .filter((ms) => ms + zone.at(ms).offset * 1000 === local)
  return [...new Set(found)]
}
