// Pages of what a thread keeps: its messages and the receipts of its runs.

import type { Receipt } from '../../agent/events.ts'
import type { Message } from '../../agent/message.ts'
import { BAD_CURSOR, cutPage, decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Page } from '../api.ts'
import type { ThreadParts } from '../parts.ts'
import { receiptOf } from './receipt.ts'

/** Oldest first. Failure `bad_cursor`. */
export function messagesPage(
  { transcript }: ThreadParts,
  cursor: string | null,
  limit: number,
): Result<Page<Message>> {
  const after = cursor === null ? [0] : decodeCursor(cursor, ['number'])
  if (!after) return err(BAD_CURSOR)
  const page = transcript.page(after[0], limit)
  return ok({ data: page.messages, next_cursor: page.next === null ? null : encodeCursor([page.next]) })
}

/** Newest first. Failure `bad_cursor`. */
export function receiptsPage(
  thread: ThreadParts,
  cursor: string | null,
  limit: number,
): Result<Page<Receipt>> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  const runs = thread.runs.page(before[0], limit + 1)
  const { data, next_cursor } = cutPage(runs, limit, ({ ord }) => ord)
  return ok({ data: data.map((run) => receiptOf(thread, run)), next_cursor })
}
