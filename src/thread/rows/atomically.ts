// A block of writes that is there as a whole or not at all, in rows and in what is kept of them in memory. A row that it
// changes several times is written once, at its end, and its events share a row.

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
 * What runs `work`, which must not wait, as one block. When it throws, none of its rows stay and none of its events are
 * shown; it throws on.
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
  // The log last but for the thread's row, which keeps what numbers it promised.
  const write = (): void => {
    for (const part of [runs, log, row]) part.write()
  }
  return (work) => {
    const outermost = !log.holding
    // What the block around this one holds stays when this one is taken back.
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
