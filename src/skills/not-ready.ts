// Why a Worker cannot serve skills yet: late, which passes, and not broken, which does not.

import { fail } from '../lib/result.ts'
import type { Failure } from '../lib/result.ts'
import { NOT_READY_RETRY_S } from './limits.ts'

type Failed = { readonly ok: false; readonly error: Failure }

/** The Worker names no build, as that of `npm start` does until its skills are pushed. */
export function noBuild(): Failed {
  return fail(
    'not_ready',
    'This Worker was not told yet which skills it serves. npm start tells it in a moment; a deployed one is built with npm run deploy.',
    { retryAfterS: NOT_READY_RETRY_S },
  )
}

/** No store has the index of the Worker's build, which is pushed after everything that it names. */
export function notPushed(build: string): Failed {
  return fail(
    'not_ready',
    `The skills of this build (${build}) are not in the stores yet. Send them: npm run skills:push -- --remote, without --remote for wrangler dev.`,
    { retryAfterS: NOT_READY_RETRY_S },
  )
}
