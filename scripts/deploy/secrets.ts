// The secrets of a deployment: which are missing, where each comes from, and sending them. Values stay in memory and go to
// wrangler's standard input: never into a file, an argument or the environment of a process.

import { randomToken } from '../../src/lib/ids.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { Variables } from '../../src/env/variables.ts'

import type { AskLine } from '../lib/ask.ts'
import type { RunWrangler } from '../lib/wrangler.ts'

/** What a Worker cannot do without; made at random where nobody gives them. */
const MADE = ['ADMIN_KEY', 'ID_SECRET', 'ENCRYPTION_KEY'] as const
const MODEL_KEY = 'ANTHROPIC_API_KEY'

export type DeploySecrets = Readonly<Record<string, string>>

export interface Missing {
  /** Made at random. */
  readonly made: readonly string[]
  /** As they stand in the environment of this command. */
  readonly given: DeploySecrets
  /** Asked for, where there is somebody to ask: without it the demo model answers. */
  readonly asked: readonly string[]
}

/** Failure: which given one the Worker would not take, and why. */
export function missingSecrets(
  there: ReadonlySet<string>,
  environment: Readonly<Record<string, string | undefined>>,
): Result<Missing, string> {
  const missing = [...MADE, MODEL_KEY].filter((name) => !there.has(name))
  const given: Record<string, string> = {}
  for (const name of missing) {
    const value = environment[name]
    if (!value) continue
    const wrong = whyNot(name, value)
    if (wrong !== null) return err(`${name} in the environment ${wrong}. Nothing was done.`)
    given[name] = value
  }
  const open = missing.filter((name) => given[name] === undefined)
  return ok({
    given,
    made: open.filter((name) => name !== MODEL_KEY),
    asked: open.filter((name) => name === MODEL_KEY),
  })
}

/** What is wrong with a value, as the Worker itself would say it; null: nothing. Never repeats the value. */
function whyNot(name: string, value: string): string | null {
  const read = Variables.safeParse({ [name]: value })
  if (read.success) return /^[\x20-\x7e]+$/.test(value) ? null : 'must be ASCII text on one line'
  return read.error.issues[0]?.message ?? 'is not what a Worker takes'
}

/** All values to send. `ask`: reads without showing; null: nobody is asked. Failure: the question was left. */
export async function gatherSecrets(
  missing: Missing,
  ask: AskLine | null,
): Promise<Result<DeploySecrets, string>> {
  const values: Record<string, string> = { ...missing.given }
  for (const name of missing.made) values[name] = `satchel_${randomToken(40)}`
  for (const name of ask ? missing.asked : []) {
    const answer = await ask?.(`${name} (nothing shows; Enter alone: the demo model answers for now): `)
    if (answer === null || answer === undefined) return err('The question was left, so nothing was done.')
    const wrong = answer === '' ? null : whyNot(name, answer)
    if (wrong !== null) return err(`${name} ${wrong}. Nothing was done.`)
    if (answer !== '') values[name] = answer
  }
  return ok(values)
}

/** Does nothing where there are none. Rejects with wrangler's words. */
export async function sendSecrets(run: RunWrangler, secrets: DeploySecrets): Promise<void> {
  if (Object.keys(secrets).length === 0) return
  await run(['secret', 'bulk'], { input: JSON.stringify(secrets) })
}
