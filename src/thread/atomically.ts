// A block of writes that is there as a whole or not at all, in rows and in what is kept of them in memory.

import type { Core } from './core.ts'

/** Runs `work`, which must not wait. When it throws, none of its rows stay and none of its events are shown; it throws on. */
export function atomically<T>(core: Core, work: () => T): T {
  const last = core.log.last
  try {
    return core.ctx.storage.transactionSync(work)
  } catch (error) {
    core.row.reread()
    core.runs.reread()
    core.transcript.reread()
    core.journal.reread()
    core.log.rolledBack(last)
    throw error
  }
}
