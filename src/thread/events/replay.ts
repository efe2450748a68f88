// Rebuilds the frames that readers saw from the rows of the log.

import { isTerminal } from '../../agent/events.ts'
import { EVENT_PAGE_ROWS } from './limits.ts'
import type { Parts } from '../parts.ts'
import { entriesOf, type LoggedEvent, type LogRow, type StoredEvent } from './event-rows.ts'
import { mergedDeltasOf, type MergedDelta } from './partial-answer.ts'
import { frameOf, type EventFrame } from './log.ts'
import type { Replay } from './readers.ts'
import { terminalBody } from '../report/receipt.ts'

type Thread = Parts<
  'ctx' | 'row' | 'runs' | 'log' | 'journal' | 'loads' | 'approvals' | 'transcript' | 'partial' | 'gone',
  'now'
>

/**
 * The stored body of an event. If it cannot be read, only a run's terminal event can be rebuilt; otherwise
 * null.
 */
function storedOf(thread: Thread, row: LogRow, entry: LoggedEvent): StoredEvent | null {
  if (entry.stored !== null) return entry.stored
  const run = isTerminal(row.type) ? thread.runs.get(row.runId) : null
  return run ? terminalBody(thread, run) : null
}

function framesOf(thread: Thread, row: LogRow, after: number): readonly EventFrame[] {
  let from = row.from
  return entriesOf(row).flatMap((entry) => {
    const frames = entry.seq > after ? entryFrames(thread, row, from, entry, after) : []
    // The next event covers the numbers of an event that cannot be read.
    if (frames.length > 0 || entry.seq <= after) from = entry.seq + 1
    return frames
  })
}

function entryFrames(
  thread: Thread,
  row: LogRow,
  from: number,
  entry: LoggedEvent,
  after: number,
): readonly EventFrame[] {
  const threadId = thread.row.data.id
  const toFrame = (delta: MergedDelta): EventFrame =>
    frameOf(threadId, row.runId, delta.seq, delta.from, entry.at, delta.body)
  const body = storedOf(thread, row, entry)
  if (body === null) return []
  if (!('message_seq' in body)) return [toFrame({ from, seq: entry.seq, body })]
  const { message_seq, spans, ...rest } = body
  const message = thread.transcript.message(message_seq)
  if (!message) return []
  const shownSpans = message.content.length === 0 ? [] : spans
  const deltas = mergedDeltasOf(body.step, message.content, shownSpans, after)
  // The event follows its deltas. A reader may have received only the deltas, because it disconnected before the event.
  const messageFrom = (shownSpans.at(-1)?.to ?? from - 1) + 1
  return [...deltas.map(toFrame), toFrame({ from: messageFrom, seq: entry.seq, body: { ...rest, message } })]
}

/** The partial response, if it belongs to `runId`, or if `runId` is null. */
function partialFrames(
  { row, partial, ports }: Thread,
  after: number,
  runId: string | null,
): readonly EventFrame[] {
  if (partial === null || (runId !== null && runId !== partial.runId)) return []
  const now = ports.now()
  return partial
    .mergedDeltas(after)
    .map(({ seq, from, body }) => frameOf(row.data.id, partial.runId, seq, from, now, body))
}

/**
 * The partial response that was sent before another run's event was written, so its numbers precede that
 * event's.
 */
function partialBefore(thread: Thread, row: LogRow, after: number): readonly EventFrame[] {
  if (thread.partial?.runId === row.runId) return []
  return partialFrames(thread, after, null).filter(({ seq }) => seq >= row.from && seq < row.seq)
}

export function replayOf(thread: Thread): Replay {
  return {
    *page(after, runId) {
      for (const row of thread.log.rows(after, runId, EVENT_PAGE_ROWS)) {
        yield* partialBefore(thread, row, after)
        yield* framesOf(thread, row, after)
      }
    },
    partial: (after, runId) => partialFrames(thread, after, runId),
    async settle() {
      // Nothing may be written once the thread is deleted.
      if (!thread.gone) thread.log.write()
      while (!thread.log.isSettled) await thread.log.sync()
    },
    terminal(runId) {
      const run = thread.runs.get(runId)
      if (!run || run.endedAt === null) return null
      const row = thread.log.terminal(runId)
      return row ? (framesOf(thread, row, row.seq - 1)[0] ?? null) : null
    },
  }
}
