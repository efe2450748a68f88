// Errors of a Worker that cannot serve skills yet, which is temporary, not a fault.

import { fail } from '../lib/result.ts'
import type { Failure } from '../lib/result.ts'
import { NOT_READY_RETRY_S } from './limits.ts'

type Failed = { readonly ok: false; readonly error: Failure }

/** The Worker names no build, like the one of `npm start` until its skills are pushed. */
export function noBuild(): Failed {
  return fail(
    'not_ready',
    'This Worker has no skills yet. npm start pushes them in a moment; for a deployment, build with npm run deploy.',
    { retryAfterS: NOT_READY_RETRY_S },
  )
}

/** No store has the index of the Worker's build, which is pushed last. */
export function notPushed(build: string): Failed {
  return fail(
    'not_ready',
    `The skills of this build (${build}) are not in the stores yet. Send them: npm run skills:push -- --remote, without --remote for wrangler dev.`,
    { retryAfterS: NOT_READY_RETRY_S },
  )
}
