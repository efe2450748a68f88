// Encrypts the secrets that were sent with a request, before anything of the request is stored.

import { ok, type Result } from '../../lib/result.ts'
import { runSecretContext, NO_ENCRYPTION_KEY } from '../../secrets/stored.ts'
import type { StartInput } from '../api.ts'
import type { ThreadPorts } from '../parts.ts'

/**
 * Returns the encrypted secrets by name. Each is bound to workspace, thread, run and name, so it cannot be decrypted for
 * another. Fails with `not_configured` if this Worker has no encryption key.
 */
export async function encryptSecrets(
  { sealer }: Pick<ThreadPorts, 'sealer'>,
  workspace: string,
  { secrets = {}, threadId }: StartInput,
  runId: string,
): Promise<Result<Readonly<Record<string, string>>>> {
  const secretEntries = Object.entries(secrets)
  if (secretEntries.length === 0) return ok({})
  if (!sealer) return NO_ENCRYPTION_KEY
  const sealing = secretEntries.map(async ([name, value]) => {
    const context = runSecretContext({ workspace, thread: threadId, run: runId, name })
    return [name, await sealer.seal(value, context)] as const
  })
  return ok(Object.fromEntries(await Promise.all(sealing)))
}
