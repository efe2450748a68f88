// Determines which secrets of a deployment are missing, collects them and sends them. Values are sent only to
// Cloudflare's API, never to a file, an argument or a process's environment.

import * as z from 'zod'

import { randomToken } from '../../src/lib/ids.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { Variables } from '../../src/env/variables.ts'

import type { AskLine } from '../lib/ask.ts'
import type { Remote } from './account.ts'

/** Secrets that a Worker needs. They are generated if they are not in the environment. */
const GENERATED = ['ADMIN_KEY', 'ID_SECRET', 'ENCRYPTION_KEY'] as const
const MODEL_KEY = 'ANTHROPIC_API_KEY'

export type DeploySecrets = Readonly<Record<string, string>>

export interface MissingSecrets {
  /** Names of secrets that are generated at random. */
  readonly generated: readonly string[]
  /** Secrets from the environment of this command. */
  readonly provided: DeploySecrets
  /** Names of secrets for which the user is asked. Without the model's key, the demo model is used. */
  readonly prompted: readonly string[]
}

/** The secrets that the Worker does not have. Fails if the Worker would refuse one from the environment. */
export function missingSecrets(
  existing: ReadonlySet<string>,
  environment: Readonly<Record<string, string | undefined>>,
): Result<MissingSecrets, string> {
  const missing = [...GENERATED, MODEL_KEY].filter((name) => !existing.has(name))
  const provided: Record<string, string> = {}
  for (const name of missing) {
    const value = environment[name]
    if (!value) continue
    const problem = problemOf(name, value)
    if (problem !== null) return err(`${name} in the environment ${problem}. Nothing was changed.`)
    provided[name] = value
  }
  const unset = missing.filter((name) => provided[name] === undefined)
  return ok({
    provided,
    generated: unset.filter((name) => name !== MODEL_KEY),
    prompted: unset.filter((name) => name === MODEL_KEY),
  })
}

/** Why the Worker would refuse a value; null if it accepts it. Never repeats the value. */
function problemOf(name: string, value: string): string | null {
  const parsed = Variables.safeParse({ [name]: value })
  if (parsed.success) return /^[\x20-\x7e]+$/.test(value) ? null : 'must be ASCII text on one line'
  return parsed.error.issues[0]?.message ?? 'is not valid for a Worker'
}

/** The values of all missing secrets. Asks for some, unless `ask` is null. Fails if a question is cancelled. */
export async function gatherSecrets(
  missing: MissingSecrets,
  ask: AskLine | null,
): Promise<Result<DeploySecrets, string>> {
  const values: Record<string, string> = { ...missing.provided }
  for (const name of missing.generated) values[name] = `satchel_${randomToken(40)}`
  for (const name of ask ? missing.prompted : []) {
    const answer = await ask?.(`${name} (not shown; press Enter to use the demo model for now): `)
    if (answer === null || answer === undefined)
      return err('The question was cancelled, so nothing was changed.')
    const problem = answer === '' ? null : problemOf(name, answer)
    if (problem !== null) return err(`${name} ${problem}. Nothing was changed.`)
    if (answer !== '') values[name] = answer
  }
  return ok(values)
}

/** Sends secrets, if there are any. Rejects with a CloudflareError. */
export async function sendSecrets({ api, worker }: Remote, secrets: DeploySecrets): Promise<void> {
  const named = Object.entries(secrets).map(([name, text]) => [name, { name, text, type: 'secret_text' }])
  if (named.length === 0) return
  const body = { secrets: Object.fromEntries(named) }
  await api.result(z.unknown(), `PATCH ${worker}/secrets-bulk`, {
    body,
    contentType: 'application/merge-patch+json',
  })
}
