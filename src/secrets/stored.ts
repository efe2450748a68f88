// Seals and opens the stored secrets of a workspace. Each is bound to its workspace, name and host, and is opened only
// for a request to that host.

import { fail, ok, type Result } from '../lib/result.ts'
import type { Sealer } from './seal.ts'

/** A secret as a workspace stores it. `sealed` reveals nothing without the key. */
export interface SealedSecret {
  readonly name: string
  readonly host: string
  readonly sealed: string
}

/** The context of a stored secret's seal. */
function secretContext(
  workspace: string,
  { name, host }: Pick<SealedSecret, 'name' | 'host'>,
): readonly string[] {
  return ['workspace secret', workspace, name, host]
}

export const NO_ENCRYPTION_KEY = fail(
  'not_configured',
  'This Worker has no ENCRYPTION_KEY, so secrets can neither be stored nor used. Set one of at least 32 characters with ' +
    'npx wrangler secret put ENCRYPTION_KEY. A local server creates one when it starts.',
)

export async function sealSecret(
  sealer: Sealer,
  workspace: string,
  secret: { readonly name: string; readonly host: string; readonly value: string },
): Promise<SealedSecret> {
  const { name, host, value } = secret
  return { name, host, sealed: await sealer.seal(value, secretContext(workspace, { name, host })) }
}

/**
 * The values of the secrets with these names, for a request to `host`. Fails with a message for the model, which
 * contains neither a value nor the host to which a secret is bound.
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
        `There is no secret ${name} in this workspace. Ask an admin to store it with PUT /admin/secrets/${name}.`,
      )
    if (row.host !== host)
      return fail(
        'forbidden',
        `The secret ${name} cannot be sent to ${host}: it is bound to another host and is sent only there.`,
      )
    if (!sealer) return NO_ENCRYPTION_KEY
    const opened = await sealer.open(row.sealed, secretContext(workspace, row))
    if (!opened.ok)
      return fail(
        'not_configured',
        `The secret ${name} cannot be read with the ENCRYPTION_KEY of this Worker. Ask an admin to store it again with PUT /admin/secrets/${name}.`,
      )
    values.set(name, opened.value)
  }
  return ok(values)
}

/** The secret sealed with the current key; null if it already is or cannot be opened. */
export async function resealed(sealer: Sealer, workspace: string, row: SealedSecret): Promise<string | null> {
  if ((await sealer.keyOf(row.sealed)) !== 'previous') return null
  const opened = await sealer.open(row.sealed, secretContext(workspace, row))
  return opened.ok ? sealer.seal(opened.value, secretContext(workspace, row)) : null
}

/** The context of secrets that were supplied with a request. */
export function runSecretContext(run: {
  readonly workspace: string
  readonly thread: string
  readonly run: string
  readonly name: string
}): readonly string[] {
  return ['run secret', run.workspace, run.thread, run.run, run.name]
}
