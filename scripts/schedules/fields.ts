// What `npm run schedules -- create` sends, from its flags.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile, splitList } from '../tools/input.ts'

export interface ScheduleFlags {
  readonly cron?: string | undefined
  readonly at?: string | undefined
  readonly zone: string
  readonly message?: string | undefined
  readonly file?: string | undefined
  readonly missed?: string | undefined
  readonly 'one-thread': boolean
  readonly user?: string | undefined
  readonly load?: string | undefined
  readonly skills?: string | undefined
  readonly tools?: string | undefined
  readonly model?: string | undefined
  readonly usd?: string | undefined
  readonly yes: boolean
  readonly json: boolean
}

/** The body of the request, or what is wrong with the flags. The server checks the values. */
export async function scheduleBody(name: string, flags: ScheduleFlags): Promise<Result<object, string>> {
  const { cron, at, zone, file, missed, user, model } = flags
  if ((cron === undefined) === (at === undefined))
    return err(
      "create takes either --cron, such as --cron '0 8 * * 1', or --at, such as --at 2026-12-01T08:00.",
    )
  if ((flags.message === undefined) === (file === undefined))
    return err('create takes either --message TEXT or --file FILE.')
  const text = file === undefined ? ok(flags.message ?? '') : await readTextFile(file)
  if (!text.ok) return text
  const usd = flags.usd === undefined ? undefined : Number(flags.usd)
  if (Number.isNaN(usd)) return err(`--usd is not a number. Write it like --usd 0.50`)
  const [allow, load, tools] = [splitList(flags.skills), splitList(flags.load), splitList(flags.tools)]
  return ok({
    name,
    cron,
    at,
    time_zone: zone,
    message: text.value,
    missed,
    thread: flags['one-thread'] ? 'one' : undefined,
    user,
    model,
    tools,
    skills: allow || load ? { allow, load } : undefined,
    budget: usd === undefined ? undefined : { usd },
  })
}
