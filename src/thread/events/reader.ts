// One reader of a thread's events: a stream that delivers frames only as fast as the client reads them.

import { SSE_PING, sseRetry } from '../../lib/sse.ts'
import { SSE_CHUNK_MAX_BYTES, SSE_LIFE_MS, SSE_PING_MS, SSE_QUEUE_MAX_BYTES, SSE_RETRY_MS } from './limits.ts'
import { FrameQueue, newSharedFrame, type Backlog, type SharedFrame } from './backlog.ts'

export interface ReaderOptions {
  readonly runId: string | null
  /** The last event number that the reader has. */
  readonly cursor: number
  /** True if the reader has everything so far, so nothing has to be replayed. */
  readonly isLive: boolean
  /** Called as the client reads, to give the reader more of the earlier events. */
  readonly loadMore: (reader: Reader) => Promise<void>
  /** Called when the reader gets no more frames. */
  readonly onEnd: (reader: Reader) => void
  /** Called when the client disconnected. */
  readonly onLeave: () => void
}

export class Reader {
  readonly runId: string | null
  readonly stream: ReadableStream<Uint8Array>
  readonly #options: ReaderOptions
  readonly #queue: FrameQueue
  readonly #timers: {
    readonly ping: ReturnType<typeof setInterval>
    readonly lifetime: ReturnType<typeof setTimeout>
  }
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  /** Resolves the promise of the pending pull. */
  #resolvePull: (() => void) | null = null
  #isFlushScheduled = false
  #fillInProgress: Promise<void> | null = null
  #hasEnded = false
  cursor: number
  isLive: boolean

  constructor(backlog: Backlog, options: ReaderOptions) {
    this.#options = options
    this.runId = options.runId
    this.cursor = options.cursor
    this.isLive = options.isLive
    this.#queue = new FrameQueue(backlog, () => this.#close())
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#pull(),
        cancel: () => {
          this.#controller = null
          this.#queue.clear()
          this.#end()
          options.onLeave()
        },
      },
      // The stream needs no internal queue, because this class has one.
      { highWaterMark: 0 },
    )
    // Sent together with the first frames, which saves a chunk.
    this.#queue.push(newSharedFrame(sseRetry(SSE_RETRY_MS)))
    this.#timers = {
      ping: setInterval(() => this.#ping(), SSE_PING_MS),
      lifetime: setTimeout(() => this.close(), SSE_LIFE_MS),
    }
  }

  /** True if the reader has enough data queued, so earlier events need not be loaded yet. */
  get hasEnough(): boolean {
    return this.#queue.bytes >= SSE_CHUNK_MAX_BYTES
  }

  /**
   * Loads earlier events until the reader is live or has enough data queued. Called again as the client
   * reads.
   */
  fill(): Promise<void> {
    this.#fillInProgress ??= this.#fill().finally(() => {
      this.#fillInProgress = null
    })
    return this.#fillInProgress
  }

  async #fill(): Promise<void> {
    while (!this.isLive && !this.#hasEnded && !this.hasEnough) await this.#options.loadMore(this)
  }

  /**
   * Queues a frame. A live reader that does not keep up is disconnected; it can reconnect and read the
   * missing events.
   */
  enqueue(frame: SharedFrame): void {
    if (this.#hasEnded) return
    if (this.isLive && this.#queue.bytes >= SSE_QUEUE_MAX_BYTES) return this.#queue.disconnect()
    this.#queue.push(frame)
    this.#flushSoon()
  }

  /** Ends the stream after the frames that are already queued. */
  close(): void {
    this.#end()
    this.#flushSoon()
  }

  #ping(): void {
    // A timer can be cleared only by the object that set it. If another object disconnected this reader, the timer is
    // cleared here.
    if (this.#hasEnded) return clearInterval(this.#timers.ping)
    // No ping is needed while frames are waiting.
    if (this.#queue.bytes === 0) this.enqueue(newSharedFrame(SSE_PING))
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearInterval(this.#timers.ping)
    clearTimeout(this.#timers.lifetime)
    this.#options.onEnd(this)
  }

  /** Closes the stream immediately and discards waiting frames. */
  #close(): void {
    this.#end()
    this.#controller?.close()
    this.#controller = null
    this.#finishPull()
  }

  async #pull(): Promise<void> {
    await this.fill()
    return new Promise((resolve) => {
      this.#resolvePull = resolve
      this.#flush()
    })
  }

  /**
   * Sends all frames of one turn of the event loop as one chunk, because each chunk passes through every object on the way to
   * the client.
   */
  #flushSoon(): void {
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    queueMicrotask(() => {
      this.#isFlushScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (!this.#resolvePull || !this.#controller) return this.#finishPull()
    const chunk = this.#queue.takeChunk(SSE_CHUNK_MAX_BYTES)
    if (chunk) this.#controller.enqueue(chunk)
    else if (this.#hasEnded) return this.#close()
    else return
    this.#finishPull()
  }

  #finishPull(): void {
    this.#resolvePull?.()
    this.#resolvePull = null
  }
}
