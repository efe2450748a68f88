// A run that was promised and can never start: it exists all the same, as a failed one that says why. Its thread is made
// where there is none, without the prefix that only a catalog can give; the first message that does start brings that.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { enter, type Home } from './accept.ts'
import { bare } from './newborn.ts'
import type { StartInput } from '../api.ts'
import { atomically } from '../atomically.ts'
import type { Core } from '../core.ts'
import { finish } from '../drive/finish.ts'
import { settle } from '../drive/scheduler.ts'
import { mayUse } from '../rows/thread-row.ts'

const NO_CATALOG = { version: 0, index: '' }

function threadOf(home: Home, caller: Caller, input: StartInput): Core | null {
  const core = home.core()
  if (!core) return home.going() ? null : home.birth(bare(home.out, caller, input))
  return core.closing || !mayUse(caller, core.row.data) ? null : core
}

/** Idempotent: a run that came to be meanwhile stays as it is. On disk when it answers. */
export async function startFailed(
  home: Home,
  caller: Caller,
  input: StartInput,
  runId: string,
  why: string,
): Promise<Result<null>> {
  const core = threadOf(home, caller, input)
  if (!core) return fail('not_found', `There is no thread ${input.threadId}.`)
  if (core.runs.get(runId)) return ok(null)
  // Never one without the other: a run that only waited in line would be begun.
  atomically(core, () => {
    enter(core, caller, input, NO_CATALOG, runId, 'queued')
    finish(core, runId, 'failed', 'internal', `The run could not be started. ${why}`)
  })
  await core.log.sync()
  core.ctx.waitUntil(settle(core))
  return ok(null)
}
