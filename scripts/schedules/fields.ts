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
  readonly fields?: string | undefined
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
  const more = await otherFields(flags.fields)
  if (!more.ok) return more
  const usd = flags.usd === undefined ? undefined : Number(flags.usd)
  if (Number.isNaN(usd)) return err(`--usd is not a number. Write it like --usd 0.50`)
  const [allow, load, tools] = [splitList(flags.skills), splitList(flags.load), splitList(flags.tools)]
  return ok({
    ...more.value,
    name,
    cron,
    at,
    time_zone: zone,
    message: text.value,
    missed,
    thread: flags['one-thread'] ? 'one' : undefined,
    user,
    model,
    ...(tools && { tools }),
    ...((allow || load) && { skills: { allow, load } }),
    ...(usd !== undefined && { budget: { usd } }),
  })
}

/** The fields of a JSON file; none if no file is named. */
async function otherFields(file: string | undefined): Promise<Result<object, string>> {
  if (file === undefined) return ok({})
  const text = await readTextFile(file)
  if (!text.ok) return text
  try {
    const fields: unknown = JSON.parse(text.value)
    return typeof fields === 'object' && fields !== null ? ok(fields) : err(`${file} is not a JSON object.`)
  } catch (error) {
    return err(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
