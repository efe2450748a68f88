// The secrets and the rate limit of requests that an admin sends to servers by hand.

import { config, objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import { sealer } from '../../secrets/seal.ts'
import { openSecrets } from '../../secrets/stored.ts'
import type { TokenPort } from '../../secrets/tokens.ts'
import { refuseOverRate } from '../admission/rate.ts'
import type { HttpContext } from '../route/route.ts'

/** The secrets of a workspace for requests that an admin makes, and those that the admin sends along. */
export function adminSecrets(
  c: HttpContext,
  { workspace }: Caller,
  requestSecrets: Readonly<Record<string, string>> = {},
): SecretsPort {
  return {
    use: async (names, host) => {
      const rows = await objects(c.env).workspace(workspace).sealedSecrets(names)
      return rows.ok
        ? openSecrets(sealer(config(c.env).encryptionKeys), workspace, rows.value, names, host)
        : rows
    },
    brought: async (names) => {
      const brought = new Map(Object.entries(requestSecrets))
      const missing = names.filter((name) => !brought.has(name))
      if (missing.length === 0) return ok(brought)
      return fail(
        'not_found',
        `The request does not supply the secret ${missing.join(', ')}. Add it to "secrets".`,
      )
    },
    tokens: {
      take: async (...of) => (await tokensOf(c, workspace)).take(...of),
      put: async (...of) => (await tokensOf(c, workspace)).put(...of),
    },
  }
}

async function tokensOf({ env }: HttpContext, workspace: string): Promise<TokenPort> {
  const { tokenPort } = await import('../../secrets/tokens.ts')
  const seals = sealer(config(env).encryptionKeys)
  return tokenPort(
    workspace,
    seals,
    (request) => objects(env).workspace(workspace).token(request),
    () => undefined,
  )
}

/** Refuses an admin who makes too many of these requests, or returns null. */
export function refuseManyTrials(c: HttpContext, { workspace, keyId }: Caller): Result<never> | null {
  const detail = 'Too many test calls were sent with this key. Wait, then try again.'
  return refuseOverRate(c, c.env.TRIAL_RATE, `tool test ${workspace}/${keyId}`, detail)
}
