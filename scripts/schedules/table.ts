// Formats schedules and their occurrences for a terminal. Text from the server is made harmless.

import type { OccurrenceInfo, ScheduleView } from '../../src/schedules/api.ts'
import { formatColumns, dimHeadTable } from '../lib/columns.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'

/** A time as the clock in its zone shows it, such as `Mon, 30 Nov 2026, 08:00 CET`. */
export function timeInZone(time: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return format.format(new Date(time))
}

export function scheduleTable(schedules: readonly ScheduleView[]): readonly string[] {
  const rows = schedules.map((schedule) => {
    const { id, name, state, next, time_zone } = schedule
    const when = state === 'active' && next[0] ? timeInZone(next[0], time_zone) : state
    return [name, rule(schedule), when, id].map(harmlessLine)
  })
  return dimHeadTable(['name', 'times', 'next', 'id'], rows)
}

export function scheduleLines(
  schedule: ScheduleView,
  occurrences: readonly OccurrenceInfo[],
  url: string,
): readonly string[] {
  const { name, id, state, next, message, time_zone, user, model, thread, missed, starts_after_s } = schedule
  const facts: readonly (readonly [string, string])[] = [
    ['state', state],
    ['id', id],
    ['times', rule(schedule)],
    ...next.map((time, index) => [index === 0 ? 'next' : '', timeInZone(time, time_zone)] as const),
    [
      'starts',
      starts_after_s === 0 ? 'at that time' : `${starts_after_s} s later, so that not all start at once`,
    ],
    ['missed', missed === 'once' ? 'the newest missed time runs late' : 'missed times do not run'],
    ['thread', thread === 'one' ? 'one for all runs' : 'a new one for each run'],
    ['seen by', user === null ? 'admins' : `${user} and admins`],
    ['model', model ?? 'the default'],
    ['message', message],
  ]
  return [
    paint('bold', harmlessLine(name)),
    ...formatColumns(facts.map(([label, value]) => [`  ${label}`, harmlessLine(value)])),
    ...(occurrences.length > 0 ? ['', 'Newest runs:'] : []),
    ...formatColumns(occurrences.map((occurrence) => occurrenceCells(occurrence, time_zone, url))),
  ]
}

function occurrenceCells(
  { planned_at, recorded_at, state, thread_id, problem }: OccurrenceInfo,
  zone: string,
  url: string,
): readonly string[] {
  const time = timeInZone(planned_at ?? recorded_at, zone)
  const link = thread_id === null ? '' : `${url}/#t=${thread_id}`
  return [time, planned_at === null ? 'asked for' : 'planned', state, link, problem ?? ''].map(
    (cell, index) => (index === 0 ? '  ' : '') + harmlessLine(cell),
  )
}

function rule({ cron, at, time_zone }: ScheduleView): string {
  return cron === null ? `once, ${at === null ? '' : timeInZone(at, time_zone)}` : `${cron} (${time_zone})`
}
