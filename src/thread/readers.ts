// Readers of a thread's events: first what is written down, then what happens, with no gap and no double.
// One slow reader is cut off; it never holds up the run or another reader.

import { isTerminal } from '../agent/events.ts'
import { SSE_PING, sseFrame, sseRetry } from '../lib/sse.ts'
import { SSE_LIFE_MS, SSE_PING_MS, SSE_QUEUE_MAX_BYTES, SSE_READERS_MAX, SSE_RETRY_MS } from '../limits.ts'
import { covering, type Frame } from './log.ts'

/** Where a reader gets what has happened already. */
export interface Replay {
  /** Frames after `after`, a page at a time; empty when there are no more. */
  page(after: number, runId: string | null): readonly Frame[]
  /** Text that is being said and has no row yet. */
  saying(after: number, runId: string | null): readonly Frame[]
  /** Waits until every numbered frame was shown. */
  settle(): Promise<void>
  /** The terminal frame of a run that has ended. */
  terminal(runId: string): Frame | null
}

interface Reader {
  readonly runId: string | null
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  cursor: number
  live: boolean
  /** Bytes of this turn: one chunk, as each costs a passage through every object and socket up to the client. */
  chunk: Uint8Array[]
  close(): void
}

export class Readers {
  readonly #readers = new Set<Reader>()

  get full(): boolean {
    return this.#readers.size >= SSE_READERS_MAX
  }

  reading(runId: string): boolean {
    return [...this.#readers].some((reader) => reader.runId === null || reader.runId === runId)
  }

  /** Shows a frame to everybody who follows live. */
  show(frame: Frame): void {
    if (this.#readers.size === 0) return
    const bytes = bytesOf(frame)
    for (const reader of this.#readers) if (reader.live) this.#give(reader, frame, bytes)
  }

  #give(reader: Reader, frame: Frame, bytes: Uint8Array): void {
    if (!this.#readers.has(reader) || frame.seq <= reader.cursor) return
    if (reader.runId !== null && reader.runId !== frame.runId) return
    // What was shown before it came and has no row stays unseen: a thread's stream leaves no number out.
    const gap = reader.runId === null && frame.from > reader.cursor + 1
    const shown = gap ? bytesOf(covering(frame, reader.cursor + 1)) : bytes
    // While it catches up, a reader is given pages as it asks for them; only a live one can fall behind.
    if (reader.live && (reader.controller.desiredSize ?? 0) <= 0) return reader.close()
    reader.cursor = frame.seq
    // Whoever comes first after the opening brings the retry line along and starts the turn's chunk.
    if (reader.chunk.length <= 1) queueMicrotask(() => flush(reader))
    reader.chunk.push(shown)
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
    const readers = this.#readers
    const give = this.#give.bind(this)
    let reader: Reader
    let ping: ReturnType<typeof setInterval>
    let life: ReturnType<typeof setTimeout>
    const forget = (): void => {
      readers.delete(reader)
      clearInterval(ping)
      clearTimeout(life)
    }
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const close = (): void => {
            if (!readers.has(reader)) return
            forget()
            flush(reader)
            controller.close()
          }
          reader = { runId, controller, cursor: after, live: fresh, chunk: [], close }
          readers.add(reader)
          const retry = sseRetry(SSE_RETRY_MS)
          // A fresh run speaks at once: one chunk less.
          if (fresh) reader.chunk.push(retry)
          else controller.enqueue(retry)
          ping = setInterval(() => controller.enqueue(SSE_PING), SSE_PING_MS)
          life = setTimeout(close, SSE_LIFE_MS)
        },
        async pull() {
          if (reader.live || !readers.has(reader)) return
          await replay.settle()
          if (!readers.has(reader)) return
          const frames = replay.page(reader.cursor, runId)
          for (const frame of frames) give(reader, frame, bytesOf(frame))
          if (frames.length === 0) catchUp(reader, replay, give)
        },
        cancel() {
          forget()
          onLeave()
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: SSE_QUEUE_MAX_BYTES }),
    )
  }
}

function flush(reader: Reader): void {
  const { chunk, controller } = reader
  const [only] = chunk
  if (!only) return
  reader.chunk = []
  controller.enqueue(chunk.length === 1 ? only : joined(chunk))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

function bytesOf(frame: Frame): Uint8Array {
  return sseFrame(frame.seq, frame.type, frame.json)
}

/** The rows are read out: in one synchronous step the reader gets what is being said and follows live. */
function catchUp(
  reader: Reader,
  replay: Replay,
  give: (reader: Reader, frame: Frame, bytes: Uint8Array) => void,
): void {
  for (const frame of replay.saying(reader.cursor, reader.runId)) give(reader, frame, bytesOf(frame))
  reader.live = true
  const terminal = reader.runId === null ? null : replay.terminal(reader.runId)
  if (!terminal) return
  // A reader that comes back after the end gets the end again, then the stream closes.
  reader.cursor = Math.min(reader.cursor, terminal.seq - 1)
  give(reader, terminal, bytesOf(terminal))
}
