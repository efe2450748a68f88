// Readers of a thread's events. Each gets the stored events first and then live ones, without a gap or a
// duplicate. A slow reader is disconnected, so that it never delays the run or other readers.

import { isTerminal } from '../../agent/events.ts'
import { sseFrame } from '../../lib/sse.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail } from '../../lib/result.ts'
import { SSE_KEY_STREAMS_MAX, SSE_READERS_MAX } from './limits.ts'
import { isolateBacklog, newSharedFrame, type Backlog, type SharedFrame } from './backlog.ts'
import { isolateStreams, type KeyStreams } from './key-streams.ts'
import { withFrom, type EventFrame } from './log.ts'
import { Reader } from './reader.ts'

/** Gives access to earlier events. */
export interface Replay {
  /** The next page of frames after `after`, built on demand; empty if there are no more. */
  page(after: number, runId: string | null): Iterable<EventFrame>
  /** The frames of the partial response, which has no row yet. */
  partial(after: number, runId: string | null): readonly EventFrame[]
  /** Waits until every numbered frame was sent. */
  settle(): Promise<void>
  /** The terminal frame of a run that has ended, otherwise null. */
  terminal(runId: string): EventFrame | null
}

/** Who reads which events, and after which number. */
export interface ReadRequest {
  readonly caller: Pick<Caller, 'workspace' | 'keyId'>
  /** Null for the events of all runs. */
  readonly runId: string | null
  /** The last event number that the reader has. */
  readonly after: number
}

export class Readers {
  readonly #readers = new Set<Reader>()
  readonly #backlog: Backlog
  readonly #streams: KeyStreams

  constructor(backlog: Backlog = isolateBacklog, streams: KeyStreams = isolateStreams) {
    this.#backlog = backlog
    this.#streams = streams
  }

  /** Why this caller may not read now, or null if it may. */
  refusal(caller: ReadRequest['caller']): ReturnType<typeof fail> | null {
    if (this.#readers.size >= SSE_READERS_MAX)
      return fail(
        'overloaded',
        'This thread has too many readers. Continue without a stream, or try again later.',
        {
          retryAfterS: 5,
        },
      )
    if (!this.#streams.isFull(keyOf(caller))) return null
    const detail = `This key has ${SSE_KEY_STREAMS_MAX} event streams open. Close some of them, or continue without a stream.`
    return fail('rate_limited', detail, { retryAfterS: 5 })
  }

  /** Whether anybody reads the events of this run. */
  hasReaders(runId: string): boolean {
    return [...this.#readers].some((reader) => reader.runId === null || reader.runId === runId)
  }

  /** Sends a frame to all live readers; all of them get the same bytes. */
  send(frame: EventFrame): void {
    if (this.#readers.size === 0) return
    const bytes = bytesOf(frame)
    for (const reader of this.#readers) if (reader.isLive) this.#enqueue(reader, frame, bytes)
  }

  #enqueue(reader: Reader, frame: EventFrame, bytes: SharedFrame): void {
    if (!this.#readers.has(reader) || frame.seq <= reader.cursor) return
    if (reader.runId !== null && reader.runId !== frame.runId) return
    // Frames that were sent earlier and have no row cannot be replayed. This frame covers their numbers, so
    // that the stream of a thread has no gap.
    const hasGap = reader.runId === null && frame.from > reader.cursor + 1
    const sentBytes = hasGap ? bytesOf(withFrom(frame, reader.cursor + 1)) : bytes
    reader.cursor = frame.seq
    reader.enqueue(sentBytes)
    if (reader.runId !== null && isTerminal(frame.type)) reader.close()
  }

  /** Ends every stream. Readers reconnect with their cursor. */
  closeAll(): void {
    for (const reader of this.#readers) reader.close()
  }

  /**
   * Opens a stream of Server-Sent Events. `onLeave` is called when the client disconnected. `isNewRun` is true
   * if the run has no events yet, so there is nothing to replay.
   */
  open(
    replay: Replay,
    { caller, runId, after }: ReadRequest,
    onLeave: () => void = () => undefined,
    isNewRun = false,
  ): ReadableStream<Uint8Array> {
    const key = keyOf(caller)
    const reader = new Reader(this.#backlog, {
      runId,
      cursor: after,
      isLive: isNewRun,
      loadMore: (loadingReader) => this.#loadMore(loadingReader, replay),
      onEnd: (endedReader) => {
        this.#readers.delete(endedReader)
        this.#streams.remove(key, endedReader)
      },
      onLeave,
    })
    this.#readers.add(reader)
    this.#streams.add(key, reader)
    // The reader gets the error with its first read.
    reader.fill().catch(() => undefined)
    return reader.stream
  }

  /**
   * Gives the reader a page of stored events. After the last page, it gets the partial response and then live
   * events, without a wait in between.
   */
  async #loadMore(reader: Reader, replay: Replay): Promise<void> {
    await replay.settle()
    if (!this.#readers.has(reader)) return
    let isDone = true
    for (const frame of replay.page(reader.cursor, reader.runId)) {
      isDone = false
      this.#enqueue(reader, frame, bytesOf(frame))
      if (reader.hasEnough) break
    }
    if (isDone) this.#catchUp(reader, replay)
  }

  #catchUp(reader: Reader, replay: Replay): void {
    for (const frame of replay.partial(reader.cursor, reader.runId))
      this.#enqueue(reader, frame, bytesOf(frame))
    reader.isLive = true
    const terminal = reader.runId === null ? null : replay.terminal(reader.runId)
    if (!terminal) return
    // A reader that reconnects after the end gets the terminal event again, and then the stream is closed.
    reader.cursor = Math.min(reader.cursor, terminal.seq - 1)
    this.#enqueue(reader, terminal, bytesOf(terminal))
  }
}

function keyOf({ workspace, keyId }: ReadRequest['caller']): string {
  return `${workspace}/${keyId}`
}

function bytesOf(frame: EventFrame): SharedFrame {
  return newSharedFrame(sseFrame(frame.seq, frame.type, frame.json))
}
