// Formats schedules and their occurrences for a terminal. Text from the server is made harmless.

import type { OccurrenceInfo, ScheduleView } from '../../src/schedules/api.ts'
import { formatColumns } from '../lib/columns.ts'
import { harmless, harmlessLine, paint } from '../lib/terminal.ts'

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
  return formatColumns([['name', 'times', 'next', 'id'], ...rows]).map((line, index) =>
    index === 0 ? paint('dim', line) : line,
  )
}

export function scheduleLines(
  schedule: ScheduleView,
  occurrences: readonly OccurrenceInfo[],
  url: string,
): readonly string[] {
  const { name, id, state, next, message, time_zone, user, model, thread, missed, starts_after_s } = schedule
  const times = next.map((time) => timeInZone(time, time_zone))
  const runs = `${thread === 'one' ? 'in one thread' : 'in a thread each'}, of ${user ?? 'nobody (admins see them)'}, ${model ?? 'default model'}; a missed time ${missed === 'once' ? 'runs late, once' : 'does not run'}`
  return [
    `${paint('bold', harmlessLine(name))}  ${harmlessLine(id)}  ${state}`,
    harmlessLine(`times:    ${rule(schedule)}`),
    harmlessLine(`next:     ${times.join('; ') || 'none'}`),
    ...(starts_after_s > 0 ? [`          (each run starts ${starts_after_s} s after its time)`] : []),
    harmlessLine(`runs:     ${runs}`),
    'message:',
    ...harmless(message)
      .split('\n')
      .map((line) => `  ${line}`),
    ...(occurrences.length > 0 ? ['', paint('dim', 'newest runs:')] : []),
    ...occurrences.map((occurrence) => occurrenceLine(occurrence, time_zone, url)),
  ]
}

function occurrenceLine(
  { planned_at, recorded_at, state, thread_id, problem }: OccurrenceInfo,
  zone: string,
  url: string,
): string {
  const when =
    planned_at === null ? `${timeInZone(recorded_at, zone)} (asked for)` : timeInZone(planned_at, zone)
  const where = thread_id === null ? '' : `  ${url}/#t=${thread_id}`
  return harmlessLine(`  ${when}  ${state}${where}${problem === null ? '' : `  ${problem}`}`)
}

function rule({ cron, at, time_zone }: ScheduleView): string {
  return cron === null ? `once, ${at === null ? '' : timeInZone(at, time_zone)}` : `${cron} (${time_zone})`
}
