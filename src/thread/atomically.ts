// A block of writes that is there as a whole or not at all, in rows and in what is kept of them in memory. A row that it
// changes several times is written once, at its end, and its events share a row.

import type { Core } from './core.ts'

/** Runs `work`, which must not wait. When it throws, none of its rows stay and none of its events are shown; it throws on. */
export function atomically<T>(core: Core, work: () => T): T {
  const outermost = !core.log.holding
  // What the block around this one holds stays when this one is taken back.
  if (!outermost) write(core)
  const before = core.log.mark()
  hold(core, true)
  try {
    return core.ctx.storage.transactionSync(() => {
      const done = work()
      write(core)
      return done
    })
  } catch (error) {
    core.row.reread()
    core.runs.reread()
    core.transcript.reread()
    core.journal.reread()
    core.log.rolledBack(before)
    core.alarm.reset()
    throw error
  } finally {
    if (outermost) hold(core, false)
  }
}

function hold({ row, runs, log }: Core, holding: boolean): void {
  for (const part of [row, runs, log]) part.hold(holding)
}

/** The log last but for the thread's row, which keeps what numbers it promised. */
function write({ row, runs, log }: Core): void {
  for (const part of [runs, log, row]) part.write()
}
