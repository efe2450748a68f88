// What `npm run hooks` and `npm run schedules` send for the runs that they start, from their flags.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { readTextFile, splitList } from '../tools/input.ts'

export interface RunFlags {
  readonly user?: string | undefined
  readonly load?: string | undefined
  readonly skills?: string | undefined
  readonly tools?: string | undefined
  readonly model?: string | undefined
  readonly usd?: string | undefined
  readonly fields?: string | undefined
}

/** The fields of a run, or what is wrong with the flags. Flags win over the file `fields`. The server checks the values. */
export async function runFields(flags: RunFlags): Promise<Result<object, string>> {
  const more = await otherFields(flags.fields)
  if (!more.ok) return more
  const usd = flags.usd === undefined ? undefined : Number(flags.usd)
  if (Number.isNaN(usd)) return err(`--usd is not a number. Write it like --usd 0.50`)
  const [allow, load, tools] = [splitList(flags.skills), splitList(flags.load), splitList(flags.tools)]
  const { user, model } = flags
  return ok({
    ...more.value,
    ...(user !== undefined && { user }),
    ...(model !== undefined && { model }),
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
