// Runs a block of writes that applies completely or not at all, both in rows and in their cached copies. A
// row that the block changes several times is written once, at its end, and the block's events share a row.

import type { ThreadParts } from '../parts.ts'

type BlockParts = Pick<
  ThreadParts,
  | 'ctx'
  | 'row'
  | 'runs'
  | 'transcript'
  | 'journal'
  | 'loads'
  | 'approvals'
  | 'waits'
  | 'sources'
  | 'revealed'
  | 'steered'
  | 'files'
  | 'log'
  | 'alarm'
>

/**
 * Returns a function that runs synchronous work as one block. If the work throws, none of its rows remain,
 * none of its events are sent, and the error is rethrown.
 */
export function atomicBlocks({
  ctx,
  row,
  runs,
  transcript,
  journal,
  loads,
  approvals,
  waits,
  sources,
  revealed,
  steered,
  files,
  log,
  alarm,
}: BlockParts): ThreadParts['atomically'] {
  const deferWrites = (isDeferring: boolean): void => {
    for (const part of [row, runs, log]) part.deferWrites(isDeferring)
  }
  // The log is written after the runs, and before the thread's row, which stores the numbers that the log
  // reserved.
  const write = (): void => {
    for (const part of [runs, log, row]) part.write()
  }
  return (work) => {
    const isOutermost = !log.isDeferring
    // Earlier changes of the enclosing block are written now, so that they remain if this block rolls back.
    if (!isOutermost) write()
    const logMark = log.mark()
    deferWrites(true)
    try {
      return ctx.storage.transactionSync(() => {
        const result = work()
        write()
        return result
      })
    } catch (error) {
      for (const part of [
        row,
        runs,
        transcript,
        journal,
        loads,
        approvals,
        waits,
        sources,
        revealed,
        steered,
        files,
      ])
        part.dropCache()
      log.rollBack(logMark)
      alarm.reset()
      throw error
    } finally {
      if (isOutermost) deferWrites(false)
    }
  }
}
