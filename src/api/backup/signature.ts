// Signs archives with the deployment's own secrets, so that they are restored only where these secrets are the same, and
// unchanged. The values reveal nothing about the secrets, which have 32 or more characters.

import { config, type Env } from '../../env/env.ts'
import { hex } from '../../lib/bytes.ts'
import { macOf } from '../../lib/mac.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'

/** A value for each secret, the current one first. */
export interface SecretChecks {
  readonly id: readonly string[]
  readonly encryption: readonly string[]
}

/** Failure: `not_configured` without ID_SECRET. `archive` is random, so no two archives have the same values. */
export async function secretChecks(env: Env, archive: string): Promise<Result<SecretChecks>> {
  const idSecrets = idSecretsOf(env)
  if (!idSecrets.ok) return idSecrets
  const check = async (secret: string): Promise<string> => hex(await macOf(secret, ['backup check', archive]))
  const [id, encryption] = await Promise.all([
    Promise.all(idSecrets.value.map(check)),
    Promise.all(config(env).encryptionKeys.map(check)),
  ])
  return ok({ id, encryption })
}

/** Fails with `not_configured` unless this Worker has every secret that the deployment of the archive had. */
export async function compareSecrets(env: Env, archive: string, checks: SecretChecks): Promise<Result<null>> {
  const own = await secretChecks(env, archive)
  if (!own.ok) return own
  const differ = (['id', 'encryption'] as const).find((kind) =>
    checks[kind].some((value) => !own.value[kind].includes(value)),
  )
  if (differ === undefined) return ok(null)
  const name = differ === 'id' ? 'ID_SECRET' : 'ENCRYPTION_KEY'
  return fail(
    'not_configured',
    `The ${name} of this Worker differs from that of the deployment that was backed up. Set the same value with npx wrangler secret put ${name}, and ${name}_PREVIOUS if that deployment had one. Nothing was changed.`,
  )
}

/** The signatures of the digest of an archive's manifest: one with each ID_SECRET, the current one first. */
export async function signaturesOf(
  env: Env,
  workspace: string,
  archive: string,
  digest: string,
): Promise<Result<readonly [current: string, ...previous: string[]]>> {
  const secrets = idSecretsOf(env)
  if (!secrets.ok) return secrets
  const sign = async (secret: string): Promise<string> =>
    hex(await macOf(secret, ['backup', workspace, archive, digest]))
  const [current, ...previous] = secrets.value
  return ok([await sign(current), ...(await Promise.all(previous.map(sign)))])
}
