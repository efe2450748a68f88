// Signs archives with the deployment's own secrets, so that they are restored only where these secrets are the same, and
// unchanged. The values reveal nothing about the secrets, which have 32 or more characters.

import { config, type Env } from '../../env/env.ts'
import { hex, utf8 } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'

/** A value for each secret, the current one first. */
export interface SecretChecks {
  readonly id: readonly string[]
  readonly encryption: readonly string[]
}

async function mac(secret: string, parts: readonly string[]): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  // IDs of keys and hooks are signed with the same secrets, but begin with another word.
  return hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(parts.join('\0')))))
}

/** Failure: `not_configured` without ID_SECRET. `archive` is random, so no two archives have the same values. */
export async function secretChecks(env: Env, archive: string): Promise<Result<SecretChecks>> {
  const idSecrets = idSecretsOf(env)
  if (!idSecrets.ok) return idSecrets
  const check = (secret: string): Promise<string> => mac(secret, ['backup check', archive])
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

/** Signs the digest of an archive's manifest. */
export async function signatureOf(
  env: Env,
  workspace: string,
  archive: string,
  digest: string,
): Promise<Result<string>> {
  const secrets = idSecretsOf(env)
  return secrets.ok ? ok(await mac(secrets.value[0], ['backup', workspace, archive, digest])) : secrets
}

export async function isSigned(
  env: Env,
  workspace: string,
  archive: string,
  digest: string,
  signature: string,
): Promise<Result<boolean>> {
  const secrets = idSecretsOf(env)
  if (!secrets.ok) return secrets
  const all = await Promise.all(
    secrets.value.map((secret) => mac(secret, ['backup', workspace, archive, digest])),
  )
  return ok(all.includes(signature))
}
