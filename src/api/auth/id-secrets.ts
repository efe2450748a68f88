// Provides the secrets that sign the ids of keys and hooks, or a message for the operator if none is set.

import { config, type Env } from '../../env/env.ts'
import { fail, ok, type Result } from '../../lib/result.ts'

/** The first secret signs new ids; ids signed with any of them are accepted. Failure: `not_configured`. */
export function idSecretsOf(env: Env): Result<readonly [string, ...string[]]> {
  const [first, ...others] = config(env).idSecrets
  if (first !== undefined) return ok([first, ...others])
  return fail(
    'not_configured',
    'This Worker has no ID_SECRET, so keys and hooks can neither be created nor used; only the ADMIN_KEY works. ' +
      'Set a secret of at least 32 characters with npx wrangler secret put ID_SECRET. A local server creates one when it starts.',
  )
}
