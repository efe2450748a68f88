// The rule that a time zone follows in its last years, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`. Found by looking
// at the table, because moment-timezone does not contain it.

/** The table of a zone: the period `i` ends at `untils[i]` in seconds since 1970. */
export interface Zone {
  readonly periods: readonly ZonePeriod[]
  /** One fewer than periods. */
  readonly untils: readonly number[]
}

export interface ZonePeriod {
  readonly abbreviation: string
  /** Seconds east of Greenwich. */
  readonly offset: number
  readonly isDaylight: boolean
}

/** A zone that still changes in this year follows a rule until the end of its table. */
const RULED_YEAR = 2037
/** Number of years for which a rule must hold. */
const YEARS_MIN = 8
const DAY_S = 86_400
const HOUR_S = 3_600

/** A day of a year and a time: month 1 to 12, week 1 to 5 (5 is the last), weekday 0 to 6, seconds. */
interface RuleDay {
  readonly month: number
  readonly week: number
  readonly weekday: number
  readonly time: number
}

interface ZoneRule {
  /** The text; empty if the zone is irregular. */
  readonly rule: string
  /** The index of the first transition that the rule covers. */
  readonly from: number
}

export function zoneRule({ periods, untils }: Zone): ZoneRule {
  const last = periods.at(-1)
  const end = untils.at(-1)
  if (!last) return { rule: '', from: 0 }
  if (end === undefined || yearOf(end) < RULED_YEAR - 1) return { rule: posixName(last), from: untils.length }
  const [first, second] = [untils.length - 2, untils.length - 1].map((index) =>
    series({ periods, untils }, index),
  )
  if (!first || !second || periods.length < 3) return { rule: '', from: untils.length }
  // The period that begins with a transition is at the next index.
  const [winter, summer] = last.isDaylight ? [first, second] : [second, first]
  const standard = periods[last.isDaylight ? periods.length - 2 : periods.length - 1]
  const daylight = periods[last.isDaylight ? periods.length - 1 : periods.length - 2]
  if (!standard || !daylight?.isDaylight) return { rule: '', from: untils.length }
  const shift = daylight.offset - standard.offset === HOUR_S ? '' : posixOffset(daylight.offset)
  const names = `${posixName(standard)}${quotedName(daylight)}${shift}`
  const from = Math.max(first.from, second.from)
  return { rule: `${names},${dayText(summer.day)},${dayText(winter.day)}`, from }
}

interface Series {
  readonly day: RuleDay
  readonly from: number
  readonly years: number
}

/** The rule of the transition at `index` and of every second one before it; null if there is none. */
function series({ periods, untils }: Zone, index: number): Series | null {
  let best: Series | null = null
  const lastYear = yearOf(untils[index] ?? 0)
  for (const dayShift of [0, -1, 1])
    for (const lastWeek of [true, false]) {
      let day: RuleDay | null = null
      let years = 0
      let from = index
      for (let at = index; at > 0; at -= 2) {
        const [until, before, after] = [untils[at], periods[at], periods[at + 1]]
        if (until === undefined || !before || !after || yearOf(until) !== lastYear - years) break
        const same = periods[index + 1]
        if (after.offset !== same?.offset || after.abbreviation !== same.abbreviation) break
        if (before.offset !== periods[index]?.offset) break
        const found = ruleDay(until + before.offset, dayShift, lastWeek)
        if (found === null || (day !== null && JSON.stringify(found) !== JSON.stringify(day))) break
        day = found
        years += 1
        from = at
      }
      if (day !== null && years >= YEARS_MIN && years > (best?.years ?? 0)) best = { day, from, years }
    }
  return best
}

/** The rule that gives this local time; null if it is not in the last week although it should be. */
function ruleDay(local: number, dayShift: number, lastWeek: boolean): RuleDay | null {
  const midnight = Math.floor(local / DAY_S) * DAY_S
  const date = new Date((midnight + dayShift * DAY_S) * 1_000)
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]
  const days = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate()
  if (lastWeek && day <= days - 7) return null
  return {
    month,
    week: lastWeek ? 5 : Math.ceil(day / 7),
    weekday: date.getUTCDay(),
    time: local - midnight - dayShift * DAY_S,
  }
}

function dayText({ month, week, weekday, time }: RuleDay): string {
  return `M${month}.${week}.${weekday}${time === 2 * HOUR_S ? '' : `/${clock(time)}`}`
}

function posixName(period: ZonePeriod): string {
  return `${quotedName(period)}${posixOffset(period.offset)}`
}

function quotedName({ abbreviation }: ZonePeriod): string {
  return /^[A-Za-z]{3,}$/.test(abbreviation) ? abbreviation : `<${abbreviation}>`
}

/** POSIX counts west of Greenwich. */
function posixOffset(seconds: number): string {
  return clock(seconds === 0 ? 0 : -seconds)
}

function clock(seconds: number): string {
  const [sign, rest] = [seconds < 0 ? '-' : '', Math.abs(seconds)]
  const [hours, minutes, last] = [Math.floor(rest / HOUR_S), Math.floor((rest % HOUR_S) / 60), rest % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  const tail = last > 0 ? `:${two(minutes)}:${two(last)}` : minutes > 0 ? `:${two(minutes)}` : ''
  return `${sign}${hours}${tail}`
}

function yearOf(seconds: number): number {
  return new Date(seconds * 1_000).getUTCFullYear()
}
