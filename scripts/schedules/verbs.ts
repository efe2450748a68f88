// Implements the verbs of `npm run schedules`. Text from the server is made harmless before it is printed.

import type { OccurrenceInfo, RequestedRun, ScheduleView } from '../../src/schedules/api.ts'
import type { Page } from '../../src/thread/api.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { responseBody, type ToolPorts } from '../tools/ports.ts'
import { allOf, findNamed, removeNamed } from '../unattended/named.ts'
import { newSchedule, scheduleChange, type ScheduleFlags } from './fields.ts'
import { timeInZone, scheduleLines, scheduleTable } from './table.ts'

export interface SchedulePorts extends ToolPorts {
  /** The time zone of this machine. */
  readonly timeZone: string
}

type Verb = (schedule: ScheduleView, flags: ScheduleFlags, ports: SchedulePorts) => Promise<number | string>

/** Returns the exit status, or a message if the arguments are wrong. */
export async function runScheduleVerb(
  [verb, name, ...extra]: readonly string[],
  flags: ScheduleFlags,
  ports: SchedulePorts,
): Promise<number | string> {
  if (verb === undefined)
    return 'Specify a verb: create, list, show, next, run, pause, resume, change or delete.'
  if (verb === 'list') return name === undefined ? list(flags, ports) : `list takes no argument (${name}).`
  const run = VERBS.get(verb)
  if (!run && verb !== 'create')
    return `There is no verb ${harmlessLine(verb)}. Run npm run schedules -- --help for a list.`
  if (name === undefined || extra.length > 0)
    return `${verb} takes exactly one name. Put a name with spaces into quotes.`
  if (!run) return create(name, flags, ports)
  const schedule = await findNamed<ScheduleView>('schedule', name, ports)
  return schedule === null ? 1 : run(schedule, flags, ports)
}

async function create(name: string, flags: ScheduleFlags, ports: SchedulePorts): Promise<number | string> {
  const body = await newSchedule(name, flags, ports.timeZone)
  if (!body.ok) return body.error
  const schedule = await responseBody<ScheduleView>(ports, 'POST', '/admin/schedules', body.value)
  if (schedule === null) return 1
  if (flags.json) ports.say(JSON.stringify(schedule, null, 2))
  else {
    for (const line of scheduleLines(schedule, [], ports.url)) ports.say(line)
    ports.say(`\nTo try it now: npm run schedules -- run ${schedule.id}`)
  }
  return 0
}

async function list(flags: ScheduleFlags, ports: ToolPorts): Promise<number> {
  const schedules = await allOf<ScheduleView>('schedule', ports)
  if (schedules === null) return 1
  if (flags.json) ports.say(JSON.stringify(schedules, null, 2))
  else if (schedules.length === 0)
    ports.say(
      `There are no schedules. To create one:\n  npm run schedules -- create Report --cron '0 8 * * 1' --message 'Write the weekly report.'`,
    )
  else for (const line of scheduleTable(schedules)) ports.say(line)
  return 0
}

const show: Verb = async (schedule, flags, ports) => {
  const path = `/admin/schedules/${schedule.id}/occurrences?limit=10`
  const history = await responseBody<Page<OccurrenceInfo>>(ports, 'GET', path)
  if (history === null) return 1
  if (flags.json) ports.say(JSON.stringify({ ...schedule, occurrences: history.data }, null, 2))
  else for (const line of scheduleLines(schedule, history.data, ports.url)) ports.say(line)
  return 0
}

const next: Verb = async ({ next: times, state, time_zone }, flags, ports) => {
  if (flags.json) ports.say(JSON.stringify(times))
  else if (times.length === 0) ports.say(`There is no next time: the schedule is ${state}.`)
  else for (const time of times) ports.say(timeInZone(time, time_zone))
  return 0
}

const run: Verb = async ({ id }, flags, ports) => {
  const started = await responseBody<RequestedRun>(ports, 'POST', `/admin/schedules/${id}/run`)
  if (started === null) return 1
  ports.say(
    flags.json
      ? JSON.stringify(started, null, 2)
      : `The run starts: ${ports.url}/#t=${harmlessLine(started.thread_id)}`,
  )
  return 0
}

const change: Verb = async ({ id }, flags, ports) => {
  const body = await scheduleChange(flags)
  if (!body.ok) return body.error
  const changed = await responseBody<ScheduleView>(ports, 'PATCH', `/admin/schedules/${id}`, body.value)
  if (changed === null) return 1
  if (flags.json) ports.say(JSON.stringify(changed, null, 2))
  else for (const line of scheduleLines(changed, [], ports.url)) ports.say(line)
  return 0
}

/** The verb `pause` or `resume`. */
function changeState(verb: 'pause' | 'resume'): Verb {
  return async ({ id }, flags, ports) => {
    const changed = await responseBody<ScheduleView>(ports, 'POST', `/admin/schedules/${id}/${verb}`)
    if (changed === null) return 1
    const [first] = changed.next
    const when = first === undefined ? '' : ` Its next time is ${timeInZone(first, changed.time_zone)}.`
    ports.say(
      flags.json
        ? JSON.stringify(changed, null, 2)
        : `${harmlessLine(changed.name)} is ${changed.state}.${when}`,
    )
    return 0
  }
}

const remove: Verb = (schedule, flags, ports) =>
  removeNamed('schedule', schedule, 'Its threads are kept.', flags, ports)

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['show', show],
  ['next', next],
  ['run', run],
  ['pause', changeState('pause')],
  ['resume', changeState('resume')],
  ['change', change],
  ['delete', remove],
])
