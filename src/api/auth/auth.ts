// Authenticates a bearer key. Workspace and role come only from the credential. Secrets are compared as hashes, in constant time.

import { objects, config, type Env } from '../../env/env.ts'
import { equalInConstantTime, sha256Hex } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import type { Clock } from '../../lib/clock.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { isSignedPart } from '../../lib/signed-id.ts'
import { BEARER_MAX_CHARS, KEY_CACHE_ENTRIES_MAX, KEY_CACHE_MAX_AGE_MS } from './limits.ts'
import { idSecretsOf } from './id-secrets.ts'

// The operator may choose any text that is valid in a header as the admin key, so it may contain spaces.
const BEARER = /^Bearer ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/i
const KEY = /^sk_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([a-z0-9]{1,64})_([a-z0-9]{16,128})$/

/** The workspace that always exists; the bootstrap key is its admin. */
export const DEFAULT_WORKSPACE = 'default'

/** The ID of the bootstrap key. IDs of other keys are signed, so none of them equals it. */
export const OPERATOR_KEY_ID = 'admin'

const SEND_VALID_KEY = 'Send a valid key in the header: Authorization: Bearer <key>.'

// The callers that this isolate verified recently, by the hash of their key. A changed or revoked key is accepted as before until its entry expires.
const verifiedCallers = new ExpiringCache<VerifiedCaller>(KEY_CACHE_ENTRIES_MAX, KEY_CACHE_MAX_AGE_MS)

interface VerifiedCaller {
  readonly caller: Caller
  /** When its key must be verified again, because it or its secret expires (epoch milliseconds); null if never. */
  readonly until: number | null
}

/** `network` returns the caller's /24 or /48 network. The workspace of the key counts failures for it, unless it is absent. */
export async function authenticate(
  env: Env,
  header: string | null,
  now: Clock,
  network?: () => string,
): Promise<Result<Caller>> {
  const key = header === null || header.length > BEARER_MAX_CHARS ? undefined : BEARER.exec(header)?.[1]
  if (key === undefined) return fail('unauthenticated', SEND_VALID_KEY)
  const hash = await sha256Hex(key)
  const cached = verifiedCallers.get(hash, now())
  if (cached && (cached.until === null || cached.until > now())) return ok(cached.caller)
  const operatorAdmin = await operatorCaller(env, hash)
  const verified = operatorAdmin
    ? ok({ caller: operatorAdmin, until: null })
    : await workspaceCaller(env, key, network?.())
  if (!verified.ok) return verified
  verifiedCallers.set(hash, verified.value, now())
  return ok(verified.value.caller)
}

async function operatorCaller(env: Env, hash: string): Promise<Caller | null> {
  const { adminKey } = config(env)
  if (adminKey === null || !equalInConstantTime(await sha256Hex(adminKey), hash)) return null
  return { workspace: DEFAULT_WORKSPACE, keyId: OPERATOR_KEY_ID, role: 'admin', user: null }
}

async function workspaceCaller(
  env: Env,
  key: string,
  network: string | undefined,
): Promise<Result<VerifiedCaller>> {
  const [, workspace, keyId, secret] = KEY.exec(key) ?? []
  if (workspace === undefined || keyId === undefined || secret === undefined)
    return fail('unauthenticated', SEND_VALID_KEY)
  const secrets = idSecretsOf(env)
  if (!secrets.ok) return secrets
  // Calling an object creates it, so a key with a guessed id must be refused before.
  if (!(await isSignedPart(secrets.value, 'key', workspace, keyId)))
    return fail('unauthenticated', SEND_VALID_KEY)
  const keyInfo = await objects(env)
    .workspace(workspace)
    .verifyKey(keyId, await sha256Hex(secret), network)
  if (!keyInfo.ok) return fail('unauthenticated', SEND_VALID_KEY)
  const { role, user, tools, models, max_budget: maxBudget, until } = keyInfo.value
  const limits = {
    ...(tools && { tools }),
    ...(models && { models }),
    ...(maxBudget && { maxBudget }),
  }
  return ok({ caller: { workspace, keyId, role, user, ...limits }, until })
}

/** Forgets all verified keys after one is changed or revoked. Other isolates forget it within KEY_CACHE_MAX_AGE_MS. */
export function forgetKeys(): void {
  verifiedCallers.clear()
}
