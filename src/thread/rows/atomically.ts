// A block of writes that applies completely or not at all, in rows and in their copies in memory. A row that it changes
// several times is written once, at the end, and its events share a row.

import type { ThreadParts } from '../parts.ts'

type Held = Pick<
  ThreadParts,
  | 'ctx'
  | 'row'
  | 'runs'
  | 'transcript'
  | 'journal'
  | 'loads'
  | 'approvals'
  | 'sources'
  | 'files'
  | 'log'
  | 'alarm'
>

/**
 * Runs a function, which must not wait, as one block. If it throws, none of its rows remain, none of its events are
 * sent, and the error is thrown again.
 */
export function blocksOf({
  ctx,
  row,
  runs,
  transcript,
  journal,
  loads,
  approvals,
  sources,
  files,
  log,
  alarm,
}: Held): ThreadParts['atomically'] {
  const hold = (holding: boolean): void => {
    for (const part of [row, runs, log]) part.hold(holding)
  }
  // The log writes last, except for the thread's row, which stores the event numbers that the log reserved.
  const write = (): void => {
    for (const part of [runs, log, row]) part.write()
  }
  return (work) => {
    const outermost = !log.holding
    // Writes of the enclosing block remain if this one rolls back.
    if (!outermost) write()
    const before = log.mark()
    hold(true)
    try {
      return ctx.storage.transactionSync(() => {
        const done = work()
        write()
        return done
      })
    } catch (error) {
      for (const part of [row, runs, transcript, journal, loads, approvals, sources, files]) part.reread()
      log.rolledBack(before)
      alarm.reset()
      throw error
    } finally {
      if (outermost) hold(false)
    }
  }
}
