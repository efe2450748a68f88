// Encrypts the secrets that were sent with a request, before anything of the request is stored.

import { ok, type Result } from '../../lib/result.ts'
import { aboutRun, NO_KEY } from '../../secrets/stored.ts'
import type { StartInput } from '../api.ts'
import type { ThreadPorts } from '../parts.ts'

/**
 * Returns the encrypted secrets by name, for this run only. Fails with `not_configured` if this Worker has no
 * encryption key.
 */
export async function encryptSecrets(
  { sealer }: Pick<ThreadPorts, 'sealer'>,
  workspace: string,
  { secrets = {}, threadId }: StartInput,
  runId: string,
): Promise<Result<Readonly<Record<string, string>>>> {
  const secretEntries = Object.entries(secrets)
  if (secretEntries.length === 0) return ok({})
  if (!sealer) return NO_KEY
  const sealed = secretEntries.map(async ([name, value]) => {
    const about = aboutRun({ workspace, thread: threadId, run: runId, name })
    return [name, await sealer.seal(value, about)] as const
  })
  return ok(Object.fromEntries(await Promise.all(sealed)))
}
