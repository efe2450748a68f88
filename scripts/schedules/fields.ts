// What `npm run schedules -- create` and `change` send, from their flags.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile } from '../tools/input.ts'
import { runFields, type RunFlags } from '../unattended/fields.ts'

export interface ScheduleFlags extends RunFlags {
  readonly cron?: string | undefined
  readonly at?: string | undefined
  readonly 'time-zone'?: string | undefined
  readonly message?: string | undefined
  readonly file?: string | undefined
  readonly missed?: string | undefined
  readonly thread?: string | undefined
  /** The new name. */
  readonly name?: string | undefined
  readonly yes: boolean
  readonly json: boolean
}

/** The body of the request that creates a schedule, or what is wrong with the flags. The server checks the values. */
export async function newSchedule(
  name: string,
  flags: ScheduleFlags,
  timeZone: string,
): Promise<Result<object, string>> {
  const { cron, at, message, file } = flags
  if ((cron === undefined) === (at === undefined))
    return err(
      "create takes either --cron, such as --cron '0 8 * * 1', or --at, such as --at 2026-12-01T08:00.",
    )
  if ((message === undefined) === (file === undefined))
    return err('create takes either --message TEXT or --file FILE.')
  const given = await scheduleFields(flags)
  return given.ok ? ok({ time_zone: timeZone, ...given.value, name }) : given
}

/** The body of the request that changes a schedule, or what is wrong with the flags. */
export async function scheduleChange(flags: ScheduleFlags): Promise<Result<object, string>> {
  const { cron, at, message, file, name } = flags
  if (cron !== undefined && at !== undefined) return err('change takes --cron or --at, not both.')
  if (message !== undefined && file !== undefined) return err('change takes --message or --file, not both.')
  const given = await scheduleFields(flags)
  if (!given.ok) return given
  // One of the two rules replaces the other.
  const rule = cron !== undefined ? { at: null } : at !== undefined ? { cron: null } : {}
  const body = { ...rule, ...given.value, ...(name !== undefined && { name }) }
  return Object.keys(body).length > 0
    ? ok(body)
    : err('change needs at least one option, such as --message TEXT.')
}

/** The fields that the flags name. */
async function scheduleFields(flags: ScheduleFlags): Promise<Result<object, string>> {
  const { cron, at, file, missed, thread } = flags
  const text = file === undefined ? ok(flags.message) : await readTextFile(file)
  if (!text.ok) return text
  const run = await runFields(flags)
  if (!run.ok) return run
  return ok({
    ...run.value,
    ...(cron !== undefined && { cron }),
    ...(at !== undefined && { at }),
    ...(flags['time-zone'] !== undefined && { time_zone: flags['time-zone'] }),
    ...(text.value !== undefined && { message: text.value }),
    ...(missed !== undefined && { missed }),
    ...(thread !== undefined && { thread }),
  })
}
