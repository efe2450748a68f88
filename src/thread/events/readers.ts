// Readers of a thread's events: first what is written down, then what happens, with no gap and no double.
// One slow reader is cut off; it never holds up the run or another reader.

import { isTerminal } from '../../agent/events.ts'
import { sseFrame } from '../../lib/sse.ts'
import { SSE_READERS_MAX } from '../../limits.ts'
import { isolateBacklog, shared, type Backlog, type Shared } from './backlog.ts'
import { covering, type Frame } from './log.ts'
import { Reader } from './reader.ts'

/** Where a reader gets what has happened already. */
export interface Replay {
  /** Frames after `after`, a page at a time, made as they are asked for; none when there are no more. */
  page(after: number, runId: string | null): Iterable<Frame>
  /** The partial answer, which has no row yet. */
  partial(after: number, runId: string | null): readonly Frame[]
  /** Waits until every numbered frame was shown. */
  settle(): Promise<void>
  /** The terminal frame of a run that has ended. */
  terminal(runId: string): Frame | null
}

export class Readers {
  readonly #readers = new Set<Reader>()
  readonly #backlog: Backlog

  constructor(backlog: Backlog = isolateBacklog) {
    this.#backlog = backlog
  }

  get full(): boolean {
    return this.#readers.size >= SSE_READERS_MAX
  }

  reading(runId: string): boolean {
    return [...this.#readers].some((reader) => reader.runId === null || reader.runId === runId)
  }

  /** Shows a frame to everybody who follows live: the same bytes to each. */
  show(frame: Frame): void {
    if (this.#readers.size === 0) return
    const bytes = bytesOf(frame)
    for (const reader of this.#readers) if (reader.live) this.#give(reader, frame, bytes)
  }

  #give(reader: Reader, frame: Frame, bytes: Shared): void {
    if (!this.#readers.has(reader) || frame.seq <= reader.cursor) return
    if (reader.runId !== null && reader.runId !== frame.runId) return
    // What was shown before it came and has no row stays unseen: a thread's stream leaves no number out.
    const gap = reader.runId === null && frame.from > reader.cursor + 1
    const shown = gap ? bytesOf(covering(frame, reader.cursor + 1)) : bytes
    reader.cursor = frame.seq
    reader.give(shown)
    if (reader.runId !== null && isTerminal(frame.type)) reader.close()
  }

  /** Ends every stream; readers come back with their cursor. */
  closeAll(): void {
    for (const reader of this.#readers) reader.close()
  }

  /**
   * A stream of Server-Sent Events. `onLeave` is called when the reader itself went away. `fresh`: nothing of the run
   * has happened yet, so that there is nothing to replay.
   */
  open(
    replay: Replay,
    runId: string | null,
    after: number,
    onLeave: () => void = () => undefined,
    fresh = false,
  ): ReadableStream<Uint8Array> {
    const reader = new Reader(this.#backlog, {
      runId,
      cursor: after,
      live: fresh,
      more: (asking) => this.#more(asking, replay),
      onEnd: (ended) => this.#readers.delete(ended),
      onLeave,
    })
    this.#readers.add(reader)
    // Whoever takes the first of it hears of what went wrong.
    reader.fill().catch(() => undefined)
    return reader.stream
  }

  /** A page of what is written down; after the last one, in one synchronous step, the partial answer and what comes. */
  async #more(reader: Reader, replay: Replay): Promise<void> {
    await replay.settle()
    if (!this.#readers.has(reader)) return
    let none = true
    for (const frame of replay.page(reader.cursor, reader.runId)) {
      none = false
      this.#give(reader, frame, bytesOf(frame))
      if (reader.sated) break
    }
    if (none) this.#goLive(reader, replay)
  }

  #goLive(reader: Reader, replay: Replay): void {
    for (const frame of replay.partial(reader.cursor, reader.runId)) this.#give(reader, frame, bytesOf(frame))
    reader.live = true
    const terminal = reader.runId === null ? null : replay.terminal(reader.runId)
    if (!terminal) return
    // A reader that comes back after the end gets the end again, then the stream closes.
    reader.cursor = Math.min(reader.cursor, terminal.seq - 1)
    this.#give(reader, terminal, bytesOf(terminal))
  }
}

function bytesOf(frame: Frame): Shared {
  return shared(sseFrame(frame.seq, frame.type, frame.json))
}
