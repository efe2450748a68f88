// What `npm run schedules -- create` sends, from its flags.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile } from '../tools/input.ts'
import { runFields, type RunFlags } from '../unattended/fields.ts'

export interface ScheduleFlags extends RunFlags {
  readonly cron?: string | undefined
  readonly at?: string | undefined
  readonly zone: string
  readonly message?: string | undefined
  readonly file?: string | undefined
  readonly missed?: string | undefined
  readonly 'one-thread': boolean
  readonly yes: boolean
  readonly json: boolean
}

/** The body of the request, or what is wrong with the flags. The server checks the values. */
export async function scheduleBody(name: string, flags: ScheduleFlags): Promise<Result<object, string>> {
  const { cron, at, zone, file, missed } = flags
  if ((cron === undefined) === (at === undefined))
    return err(
      "create takes either --cron, such as --cron '0 8 * * 1', or --at, such as --at 2026-12-01T08:00.",
    )
  if ((flags.message === undefined) === (file === undefined))
    return err('create takes either --message TEXT or --file FILE.')
  const text = file === undefined ? ok(flags.message ?? '') : await readTextFile(file)
  if (!text.ok) return text
  const run = await runFields(flags)
  if (!run.ok) return run
  return ok({
    ...run.value,
    name,
    cron,
    at,
    time_zone: zone,
    message: text.value,
    ...(missed !== undefined && { missed }),
    ...(flags['one-thread'] && { thread: 'one' }),
  })
}
