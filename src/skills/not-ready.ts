// Errors of a Worker that cannot serve skills yet. They are temporary: clients should retry.

import { fail } from '../lib/result.ts'
import type { Failure } from '../lib/result.ts'
import { NOT_READY_RETRY_S } from './limits.ts'

type Failed = { readonly ok: false; readonly error: Failure }

/** The error of a Worker without a build digest, such as one that `npm start` has just started. */
export function noBuild(): Failed {
  return fail(
    'not_ready',
    'This Worker has no skills yet. If you used npm start, wait a moment: it is pushing them. If you deployed the Worker, run npm run deploy, which builds them.',
    { retryAfterS: NOT_READY_RETRY_S },
  )
}

/** The error when no store has the index of the Worker's build. The index is pushed after everything else. */
export function notPushed(build: string): Failed {
  return fail(
    'not_ready',
    `The skills of this build (${build}) are not in the stores yet. Upload them with npm run skills:push -- --remote (without --remote for wrangler dev).`,
    { retryAfterS: NOT_READY_RETRY_S },
  )
}
