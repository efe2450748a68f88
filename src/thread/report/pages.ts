// Pages of a thread's history: its messages and the receipts of its runs. A page ends before it takes too
// much memory.

import type { Receipt } from '../../agent/events.ts'
import type { Message } from '../../agent/message.ts'
import { BAD_CURSOR, cutPage, decodeCursor, encodeCursor, countThatFit } from '../../lib/cursor.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Page } from '../api.ts'
import type { ThreadParts } from '../parts.ts'
import { summariesOfRun } from '../rows/windows.ts'
import { HISTORY_PAGE_MAX_BYTES } from './limits.ts'
import { receiptOf } from './receipt.ts'

/** Returns messages, oldest first. Fails with `bad_cursor`. */
export function messagesPage(
  { transcript }: ThreadParts,
  cursor: string | null,
  limit: number,
): Result<Page<Message>> {
  const after = cursor === null ? [0] : decodeCursor(cursor, ['number'])
  if (!after) return err(BAD_CURSOR)
  const page = transcript.page(after[0], limit, HISTORY_PAGE_MAX_BYTES)
  return ok({ data: page.messages, next_cursor: page.next === null ? null : encodeCursor([page.next]) })
}

/** Returns receipts, newest first. Fails with `bad_cursor`. */
export function receiptsPage(
  thread: ThreadParts,
  cursor: string | null,
  limit: number,
): Result<Page<Receipt>> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  const { ctx, row } = thread
  const runs = thread.runs.page(before[0], limit + 1)
  const receipts: Receipt[] = []
  const sizes = function* (): Generator<number> {
    for (const run of runs.slice(0, limit)) {
      const windows = row.data.window.number > 1 ? summariesOfRun(ctx.storage.sql, run.ord) : []
      const receipt = { ...receiptOf(thread, run), ...(windows.length > 0 && { windows }) }
      receipts.push(receipt)
      yield JSON.stringify(receipt).length
    }
  }
  const count = countThatFit(sizes(), limit, HISTORY_PAGE_MAX_BYTES)
  const { next_cursor } = cutPage(runs, count, ({ ord }) => ord)
  return ok({ data: receipts.slice(0, count), next_cursor })
}
