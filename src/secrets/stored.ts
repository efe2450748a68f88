// Secrets as a workspace keeps them: sealed for one workspace, name and host, and opened only for a call to that very host.

import { fail, ok, type Result } from '../lib/result.ts'
import type { Sealer } from './seal.ts'

/** A row of a workspace; `sealed` is no secret without the key. */
export interface SealedSecret {
  readonly name: string
  readonly host: string
  readonly sealed: string
}

/** What a stored secret's seal is bound to. */
function about(workspace: string, { name, host }: Pick<SealedSecret, 'name' | 'host'>): readonly string[] {
  return ['workspace secret', workspace, name, host]
}

export const NO_KEY = fail(
  'not_configured',
  'This Worker has no ENCRYPTION_KEY, so secrets can neither be kept nor used. Set one: npx wrangler secret put ENCRYPTION_KEY ' +
    '(32 characters or more). A local server makes one when it starts.',
)

export async function sealSecret(
  sealer: Sealer,
  workspace: string,
  secret: { readonly name: string; readonly host: string; readonly value: string },
): Promise<SealedSecret> {
  const { name, host, value } = secret
  return { name, host, sealed: await sealer.seal(value, about(workspace, { name, host })) }
}

/**
 * The values of these names for a call to `host`. `rows`: those of the workspace that are there. Fails in words for the model;
 * a value, or what a value was bound to, is in none of them.
 */
export async function openSecrets(
  sealer: Sealer | null,
  workspace: string,
  rows: readonly SealedSecret[],
  names: readonly string[],
  host: string,
): Promise<Result<ReadonlyMap<string, string>>> {
  const values = new Map<string, string>()
  for (const name of names) {
    const row = rows.find((one) => one.name === name)
    if (!row)
      return fail(
        'not_found',
        `There is no secret ${name} in this workspace. An admin stores it: PUT /admin/secrets/${name}.`,
      )
    if (row.host !== host)
      return fail(
        'forbidden',
        `The secret ${name} is bound to another host than ${host}, and is sent to that one alone.`,
      )
    if (!sealer) return NO_KEY
    const opened = await sealer.open(row.sealed, about(workspace, row))
    if (!opened.ok)
      return fail(
        'not_configured',
        `The secret ${name} cannot be read with the ENCRYPTION_KEY of this Worker. An admin stores it again: PUT /admin/secrets/${name}.`,
      )
    values.set(name, opened.value)
  }
  return ok(values)
}

/** The same value under the current key; null: it is under it already, or cannot be read. */
export async function resealed(sealer: Sealer, workspace: string, row: SealedSecret): Promise<string | null> {
  if ((await sealer.keyOf(row.sealed)) !== 'previous') return null
  const opened = await sealer.open(row.sealed, about(workspace, row))
  return opened.ok ? sealer.seal(opened.value, about(workspace, row)) : null
}

/** What the secrets that a request brought are bound to. */
export function aboutRun(run: {
  readonly workspace: string
  readonly thread: string
  readonly run: string
  readonly name: string
}): readonly string[] {
  return ['run secret', run.workspace, run.thread, run.run, run.name]
}
