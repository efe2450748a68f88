// Numbers and logs a thread's events. Rows leave no gap: each covers all numbers since the row before it, and
// the events of one block share a row. Deltas have numbers but no rows, because message.completed contains
// their text.

import { isTerminal, type Event, type EventBody } from '../../agent/events.ts'
import { rfc3339, type Clock } from '../../lib/clock.ts'
import { RESERVED_EVENT_NUMBERS } from './limits.ts'
import {
  insertEvents,
  lastEvent,
  lastStartedStep,
  rowsAfter,
  terminalRow,
  type LogRow,
  type StoredEvent,
  type UnwrittenEvent,
} from './event-rows.ts'

/** An event ready to be sent. */
export interface EventFrame {
  readonly seq: number
  readonly from: number
  readonly runId: string
  readonly type: string
  readonly json: string
}

/** The state of the log at the beginning of a block. */
export interface LogMark {
  readonly last: number
  readonly unwritten: readonly UnwrittenEvent[]
}

interface PendingFrame {
  readonly frame: EventFrame
  readonly isDurable: boolean
  isReady: boolean
}

/**
 * A frame with the JSON of an event, its fields in the contract's order. `from` is left out if it equals
 * `seq`.
 */
export function frameOf(
  threadId: string,
  runId: string,
  seq: number,
  from: number,
  at: number,
  body: EventBody,
): EventFrame {
  const { type, ...rest } = body
  const head = { type, seq, ...(from === seq ? {} : { from }), thread_id: threadId, run_id: runId }
  return {
    seq,
    from,
    runId,
    type,
    // The JSON is computed on demand, because without readers it is never needed.
    get json() {
      return JSON.stringify({ ...head, at: rfc3339(at), ...rest } satisfies Omit<Event, never>)
    },
  }
}

/** The same frame, but covering the numbers from `from` on. */
export function withFrom(frame: EventFrame, from: number): EventFrame {
  // The cast is safe: frameOf() wrote this JSON.
  const { type, seq, ...rest } = JSON.parse(frame.json) as Event
  return { ...frame, from, json: JSON.stringify({ type, seq, ...rest, from }) }
}

/** Types of events that are sent only once they are on disk, because readers rely on them. */
const DURABLE_EVENTS: ReadonlySet<string> = new Set([
  'message.completed',
  'tool.completed',
  'context.compacted',
  'approval.requested',
  'approval.decided',
  'run.waiting',
  'run.completed',
  'run.failed',
  'run.cancelled',
])

export class EventLog {
  readonly #storage: DurableObjectStorage
  readonly #now: Clock
  readonly #threadId: string
  readonly #storeReservation: (reservedTo: number) => void
  readonly #unwritten: UnwrittenEvent[] = []
  #isDeferring = false
  readonly #outbox: PendingFrame[] = []
  /** The last event number that has a row. */
  #lastWrittenSeq = 0
  /** The last event number that this instance assigned. */
  #lastSeq: number
  #reservedTo = 0
  /**
   * The last of the numbers that an earlier instance reserved but never wrote, or null if there are none. The next
   * event covers these numbers.
   */
  #unwrittenUpTo: number | null
  /**
   * The last number of the reservation that is known to be on disk. Numbers up to here may be sent before
   * their rows are written.
   */
  #durableTo = 0
  #releases = 0
  /** The run for which this instance wrote last, and the last step that readers of that run have seen. */
  #latest: { readonly runId: string; readonly step: number | null } | null = null
  #send: (frame: EventFrame) => void = () => undefined

  /**
   * `storeReservation` persists, in the thread's row, the highest event number that may already have been
   * sent.
   */
  constructor(
    storage: DurableObjectStorage,
    threadId: string,
    now: Clock,
    storeReservation: (reservedTo: number) => void,
  ) {
    this.#storage = storage
    this.#storeReservation = storeReservation
    this.#threadId = threadId
    this.#now = now
    this.#readRows()
    this.#lastSeq = this.#lastWrittenSeq
    this.#unwrittenUpTo = this.#reservedTo > this.#lastWrittenSeq ? this.#reservedTo : null
  }

  /** Sets the function that receives every frame, in order, once the frame may be sent. */
  onFrame(send: (frame: EventFrame) => void): void {
    this.#send = send
  }

  /** The newest number that a reader may have seen. */
  get lastSeq(): number {
    return this.#unwrittenUpTo ?? this.#lastSeq
  }

  #assignSeq(): { seq: number; from: number } {
    const from = this.#lastSeq + 1
    const seq = this.#unwrittenUpTo === null ? from : this.#unwrittenUpTo + 1
    this.#unwrittenUpTo = null
    this.#lastSeq = seq
    if (seq + RESERVED_EVENT_NUMBERS / 2 > this.#reservedTo) {
      this.#reservedTo = seq + RESERVED_EVENT_NUMBERS
      this.#storeReservation(this.#reservedTo)
      this.syncInBackground()
    }
    return { seq, from }
  }

  get isDeferring(): boolean {
    return this.#isDeferring
  }

  /** Sets whether events wait for write(). */
  deferWrites(isDeferring: boolean): void {
    this.#isDeferring = isDeferring
  }

  mark(): LogMark {
    return { last: this.lastSeq, unwritten: [...this.#unwritten] }
  }

  /**
   * Writes the events that have no row yet. Each run gets a separate row, and so does each terminal event,
   * which is kept longest.
   */
  write(): void {
    const all = this.#unwritten.splice(0)
    while (all.length > 0) {
      const first = all[0]
      const end = all.findIndex(
        (event, index) => event.runId !== first?.runId || (index > 0 && isTerminal(event.type)),
      )
      this.#lastWrittenSeq = insertEvents(
        this.#storage.sql,
        this.#lastWrittenSeq + 1,
        all.splice(0, end === -1 ? all.length : end),
      )
    }
  }

  /**
   * Writes an event, and sends it once it may be sent. `stored` replaces the body in the row.
   */
  append(runId: string, body: EventBody, stored: StoredEvent = body): number {
    const { seq, from } = this.#assignSeq()
    const at = this.#now()
    this.#unwritten.push({ seq, at, runId, type: body.type, stored })
    if (!this.#isDeferring) this.write()
    if (body.type === 'run.accepted') this.#latest = { runId, step: null }
    if (body.type === 'step.started') this.#latest = { runId, step: body.step }
    this.#enqueue(frameOf(this.#threadId, runId, seq, from, at, body))
    return seq
  }

  /** Sends an event immediately, but writes it with the next row. Until then, a crash may lose it. */
  appendLater(runId: string, body: EventBody): void {
    // Reads the clock once, so that the stored event has the same time as the sent one.
    const at = this.#now()
    this.#unwritten.push({ seq: this.send(runId, body, at), at, runId, type: body.type, stored: body })
  }

  /** Sends an event that needs no row, because the next row covers its number. Returns its number. */
  send(runId: string, body: EventBody, at: number = this.#now()): number {
    const { seq, from } = this.#assignSeq()
    this.#enqueue(frameOf(this.#threadId, runId, seq, from, at, body))
    return seq
  }

  #enqueue(frame: EventFrame): void {
    const isDurable = DURABLE_EVENTS.has(frame.type)
    const isReady = !isDurable && frame.seq <= this.#durableTo
    if (isReady && this.#outbox.length === 0) return this.#send(frame)
    this.#outbox.push({ frame, isDurable, isReady })
  }

  /**
   * Called when the block that began with `mark` was rolled back. Its event numbers are not reused, and its
   * events are never sent.
   */
  rollBack({ last, unwritten }: LogMark): void {
    this.#releases += 1
    this.#unwritten.splice(0, this.#unwritten.length, ...unwritten)
    this.#readRows()
    this.#durableTo = Math.min(this.#durableTo, this.#reservedTo)
    const sendable = this.#outbox.filter(({ frame }) => frame.seq <= last)
    this.#outbox.splice(0, this.#outbox.length, ...sendable)
  }

  #readRows(): void {
    this.#lastWrittenSeq = lastEvent(this.#storage.sql).seq
    this.#reservedTo = Number(this.#storage.sql.exec('SELECT reserved_to AS s FROM thread').one()['s'])
  }

  /**
   * Releases unused reserved numbers. May only be called in a block after which no run continues by itself.
   */
  release(): void {
    this.#releases += 1
    this.#reservedTo = this.#lastSeq
    this.#durableTo = Math.min(this.#durableTo, this.#lastSeq)
    this.#storeReservation(this.#reservedTo)
  }

  /** Waits until all writes so far are on disk, then sends the frames that waited for that. */
  async sync(): Promise<void> {
    // Lets the current block end first.
    if (this.#isDeferring) await Promise.resolve()
    const upTo = this.#lastSeq
    const reserved = this.#reservedTo
    const releases = this.#releases
    await this.#storage.sync()
    // A reservation that was released meanwhile must not count.
    if (releases === this.#releases) this.#durableTo = Math.max(this.#durableTo, reserved)
    for (const pending of this.#outbox) {
      const { frame, isDurable } = pending
      // A frame that was added meanwhile can be sent now if it only needs a reserved number.
      if (frame.seq <= upTo || (!isDurable && frame.seq <= this.#durableTo)) pending.isReady = true
    }
    while (this.#outbox[0]?.isReady) {
      const next = this.#outbox.shift()
      if (next) this.#send(next.frame)
    }
  }

  /**
   * Like sync(), but without waiting. If the disk fails, the platform ends the object, so the error needs no
   * handling.
   */
  syncInBackground(): void {
    this.sync().catch(() => undefined)
  }

  /** True if every frame so far was sent, so that a reader can be attached without a gap or a duplicate. */
  get isSettled(): boolean {
    return this.#outbox.length === 0
  }

  /** Number of the step that readers saw last. */
  lastStep(runId: string): number | null {
    if (this.#latest?.runId === runId) return this.#latest.step
    return lastStartedStep(this.#storage.sql, runId)
  }

  terminal(runId: string): LogRow | null {
    return terminalRow(this.#storage.sql, runId)
  }

  /** Returns at most `limit` rows after `after`, oldest first. */
  rows(after: number, runId: string | null, limit: number): readonly LogRow[] {
    return rowsAfter(this.#storage.sql, after, runId, limit)
  }
}
