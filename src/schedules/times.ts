// The times of a schedule: a cron expression in a time zone, or one time. Pure; times are epoch milliseconds.

import { Cron } from 'croner'
import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { SCHEDULE_INTERVAL_MIN_MS, SCHEDULE_RULE_MAX_CHARS } from './limits.ts'

/** When a schedule runs. Exactly one of `cron` and `at` is set. */
export interface ScheduleTimes {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string | null
  /** RFC 3339 in UTC. */
  readonly at: string | null
  /** A name of the IANA database, such as `Europe/Berlin`. */
  readonly time_zone: string
}

/** Returns the first planned time after `ms`, or null if there is none. */
export type NextTime = (ms: number) => number | null

/**
 * The times of valid `ScheduleTimes`. A job with fixed hours and minutes runs once on every day that the clock is set: at the
 * first minute after a gap if its time does not exist, and at the first of two equal times. Others (`*`, `/`) follow
 * the time that passes.
 */
export function nextTime({ cron, at, time_zone }: ScheduleTimes): NextTime {
  if (cron === null) {
    const planned = at === null ? Number.NaN : Date.parse(at)
    return (ms) => (planned > ms ? planned : null)
  }
  const job = newCron(cron, time_zone)
  return (ms) => job.nextRun(new Date(ms))?.getTime() ?? null
}

/** The first times after `ms`, at most `count`. */
export function nextTimes(next: NextTime, ms: number, count: number): readonly number[] {
  const times: number[] = []
  for (let time = next(ms); time !== null && times.length < count; time = next(time)) times.push(time)
  return times
}

/** Why a time zone cannot be used; null if it can. */
export function checkTimeZone(timeZone: string): string | null {
  const advice = 'must be a name of the IANA database, such as Europe/Berlin or UTC'
  // The runtime also accepts offsets such as +01:00, but they ignore daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(timeZone) || timeZone.length > SCHEDULE_RULE_MAX_CHARS) return advice
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return null
  } catch {
    return advice
  }
}

/** Why a cron expression cannot be used in a valid time zone; null if it can. */
export function checkCron(cron: string, timeZone: string): string | null {
  const fields = cron.split(' ')
  // A question mark means the time at which the expression is parsed, which would change with each restart.
  if (cron.length > SCHEDULE_RULE_MAX_CHARS || fields.length !== 5 || /[@?]|^\s|\s$|\s\s/.test(cron))
    return 'must have five fields, separated by one space: minute, hour, day of month, month and day of week, such as "0 8 * * 1" for Mondays at 8:00'
  try {
    if (newCron(cron, timeZone).nextRun(new Date(0)) === null) return 'never comes: no date matches it'
    const daily = newCron([...fields.slice(0, 2), '*', '*', '*'].join(' '), 'UTC')
    return isTooFrequent((ms) => daily.nextRun(new Date(ms))?.getTime() ?? null)
      ? `must leave at least ${SCHEDULE_INTERVAL_MIN_MS / 60_000} minutes between two times`
      : null
  } catch (error) {
    // The library throws for an invalid expression, and says which field is wrong.
    const reason = error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : 'unknown reason'
    return `cannot be read: ${reason}`
  }
}

/**
 * Reads one time: RFC 3339 (`2026-12-01T08:00:00Z`), or a local time in a valid time zone (`2026-12-01T08:00`).
 * Returns RFC 3339 in UTC. A local time that a clock change skips is moved forward; of one that occurs twice, the
 * first is used.
 */
export function readTime(text: string, timeZone: string): Result<string, string> {
  const [, date, time, seconds = ':00', zone] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const problem = err(
    'must be a time such as 2026-12-01T08:00:00Z, or 2026-12-01T08:00 in the schedule’s time zone',
  )
  if (date === undefined || time === undefined || !isOnCalendar(date)) return problem
  try {
    const ms = zone
      ? Date.parse(`${date}T${time}${seconds}${zone}`)
      : new Cron(`${date}T${time}${seconds.slice(0, 3)}`, { timezone: timeZone, paused: true })
          .nextRun(new Date(0))
          ?.getTime()
    return ms !== undefined && Number.isFinite(ms) ? ok(rfc3339(ms)) : problem
  } catch {
    return problem
  }
}

/** Whether the date exists. Date would read 30 February as a day in March. */
function isOnCalendar(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(ms) && rfc3339(ms).startsWith(date)
}

function newCron(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
}

/** Whether two planned times on any day, or around midnight, are too close. */
function isTooFrequent(next: NextTime): boolean {
  let last = next(-1)
  for (let time = last; time !== null && time <= DAY_MS + SCHEDULE_INTERVAL_MIN_MS; time = next(time)) {
    if (last !== null && time !== last && time - last < SCHEDULE_INTERVAL_MIN_MS) return true
    last = time
  }
  return false
}
