// One reader of a thread's events: a stream that hands over what waits for it as fast as it is taken, and no faster.

import { SSE_PING, sseRetry } from '../../lib/sse.ts'
import { SSE_CHUNK_BYTES, SSE_LIFE_MS, SSE_PING_MS, SSE_QUEUE_MAX_BYTES, SSE_RETRY_MS } from './limits.ts'
import { FrameQueue, shared, type Backlog, type SharedFrame } from './backlog.ts'

export interface ReaderOptions {
  readonly runId: string | null
  /** The last number that it has. */
  readonly cursor: number
  /** It has everything that happened: nothing has to be replayed. */
  readonly live: boolean
  /** Gives it more of what happened before it came; called as it takes what it was given. */
  readonly more: (reader: Reader) => Promise<void>
  /** Nothing more is given to it. */
  readonly onEnd: (reader: Reader) => void
  /** It went away by itself. */
  readonly onLeave: () => void
}

export class Reader {
  readonly runId: string | null
  readonly stream: ReadableStream<Uint8Array>
  readonly #options: ReaderOptions
  readonly #queue: FrameQueue
  readonly #timers: {
    readonly ping: ReturnType<typeof setInterval>
    readonly life: ReturnType<typeof setTimeout>
  }
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  /** Answers whoever waits for the next bytes. */
  #asked: (() => void) | null = null
  #flushing = false
  #filling: Promise<void> | null = null
  #ended = false
  cursor: number
  live: boolean

  constructor(backlog: Backlog, options: ReaderOptions) {
    this.#options = options
    this.runId = options.runId
    this.cursor = options.cursor
    this.live = options.live
    this.#queue = new FrameQueue(backlog, () => this.#close())
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#pull(),
        cancel: () => {
          this.#controller = null
          this.#queue.drop()
          this.#end()
          options.onLeave()
        },
      },
      // Nothing is queued out of our sight.
      { highWaterMark: 0 },
    )
    // It goes out with the first frames: one chunk less.
    this.#queue.push(shared(sseRetry(SSE_RETRY_MS)))
    this.#timers = {
      ping: setInterval(() => this.#ping(), SSE_PING_MS),
      life: setTimeout(() => this.close(), SSE_LIFE_MS),
    }
  }

  /** It has so much to take already that more of the past can wait. */
  get sated(): boolean {
    return this.#queue.bytes >= SSE_CHUNK_BYTES
  }

  /** Catches up until it follows live, or is sated: then it goes on as that is taken. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null
    })
    return this.#filling
  }

  async #fill(): Promise<void> {
    while (!this.live && !this.#ended && !this.sated) await this.#options.more(this)
  }

  /** Hands over a frame. One that follows live and does not take what it is given is cut off: it comes back for the rest. */
  give(frame: SharedFrame): void {
    if (this.#ended) return
    if (this.live && this.#queue.bytes >= SSE_QUEUE_MAX_BYTES) return this.#queue.cutOff()
    this.#queue.push(frame)
    this.#flushSoon()
  }

  /** The last frame was given: what waits may still be taken, then the stream ends. */
  close(): void {
    this.#end()
    this.#flushSoon()
  }

  #ping(): void {
    // A timer can be ended only in its own object's turn: one that was cut off in another's ends it here.
    if (this.#ended) return clearInterval(this.#timers.ping)
    // Whoever has something to take needs no sign of life.
    if (this.#queue.bytes === 0) this.give(shared(SSE_PING))
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#timers.ping)
    clearTimeout(this.#timers.life)
    this.#options.onEnd(this)
  }

  /** At once, whatever waits. */
  #close(): void {
    this.#end()
    this.#controller?.close()
    this.#controller = null
    this.#answer()
  }

  async #pull(): Promise<void> {
    await this.fill()
    return new Promise((resolve) => {
      this.#asked = resolve
      this.#flush()
    })
  }

  /** All that is given in one turn leaves as one chunk: each costs a passage through every object up to the client. */
  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (!this.#asked || !this.#controller) return this.#answer()
    const chunk = this.#queue.take(SSE_CHUNK_BYTES)
    if (chunk) this.#controller.enqueue(chunk)
    else if (this.#ended) return this.#close()
    else return
    this.#answer()
  }

  #answer(): void {
    this.#asked?.()
    this.#asked = null
  }
}
