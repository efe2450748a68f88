// Turns the log's rows back into the frames that readers saw.

import { isTerminal } from '../../agent/events.ts'
import { EVENT_PAGE_ROWS } from '../../limits.ts'
import type { Core } from '../core.ts'
import { entriesOf, type Entry, type LogRow, type Stored } from './event-rows.ts'
import { mergedFrom, type LiveStep, type MergedDelta } from './live-step.ts'
import { frameOf, type Frame } from './log.ts'
import type { Replay } from './readers.ts'
import { terminalBody } from '../report/receipt.ts'

/** As it was stored. Of one that cannot be read only the end of its run is made up again. */
function storedOf(core: Core, row: LogRow, entry: Entry): Stored | null {
  if (entry.stored !== null) return entry.stored
  const run = isTerminal(row.type) ? core.runs.get(row.runId) : null
  return run ? terminalBody(core, run) : null
}

function framesOf(core: Core, row: LogRow, after: number): readonly Frame[] {
  let from = row.from
  return entriesOf(row).flatMap((entry) => {
    const frames = entry.seq > after ? entryFrames(core, row, from, entry, after) : []
    // What cannot be read leaves its numbers to the next one.
    if (frames.length > 0 || entry.seq <= after) from = entry.seq + 1
    return frames
  })
}

function entryFrames(core: Core, row: LogRow, from: number, entry: Entry, after: number): readonly Frame[] {
  const threadId = core.row.data.id
  const make = (delta: MergedDelta): Frame =>
    frameOf(threadId, row.runId, delta.seq, delta.from, entry.at, delta.body)
  const body = storedOf(core, row, entry)
  if (body === null) return []
  if (!('message_seq' in body)) return [make({ from, seq: entry.seq, body })]
  const { message_seq, spans, ...rest } = body
  const message = core.transcript.message(message_seq)
  if (!message) return []
  const shown = message.content.length === 0 ? [] : spans
  const deltas = mergedFrom(body.step, message.content, shown, after)
  // Behind its deltas also for a reader that has them: it may have gone between those and this.
  const behind = (shown.at(-1)?.to ?? from - 1) + 1
  return [...deltas.map(make), make({ from: behind, seq: entry.seq, body: { ...rest, message } })]
}

function sayingFrames(core: Core, saying: LiveStep, after: number): readonly Frame[] {
  const at = core.out.now()
  return saying
    .merged(after)
    .map((delta) => frameOf(core.row.data.id, saying.runId, delta.seq, delta.from, at, delta.body))
}

/** Text that is being said while another run's event was written down: it comes before that event's number. */
function saidBefore(core: Core, row: LogRow, after: number): readonly Frame[] {
  if (core.saying === null || core.saying.runId === row.runId) return []
  return sayingFrames(core, core.saying, after).filter(
    (frame) => frame.seq >= row.from && frame.seq < row.seq,
  )
}

export function replayOf(core: Core): Replay {
  return {
    *page(after, runId) {
      for (const row of core.log.rows(after, runId, EVENT_PAGE_ROWS)) {
        yield* saidBefore(core, row, after)
        yield* framesOf(core, row, after)
      }
    },
    saying(after, runId) {
      return core.saying === null || (runId !== null && runId !== core.saying.runId)
        ? []
        : sayingFrames(core, core.saying, after)
    },
    async settle() {
      // Nothing more is written where the thread was deleted.
      if (!core.gone) core.log.write()
      while (!core.log.settled) await core.log.sync()
    },
    terminal(runId) {
      const run = core.runs.get(runId)
      if (!run || run.endedAt === null) return null
      const row = core.log.terminal(runId)
      return row ? (framesOf(core, row, row.seq - 1)[0] ?? null) : null
    },
  }
}
