// Limits the memory for parts that an isolate buffers before it sends them to R2. Uploads wait for it in a queue. A slow sender holds
// a part until it is full, so a key leaves slots to others and loses a slow part to a key without one.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES } from '../../limits/files.ts'
import { BODY_QUEUED_PACE_BYTES_S } from '../../limits/skills.ts'
import { UPLOAD_PART_QUEUE, UPLOAD_PART_SLOW_MS } from './limits.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'

/**
 * Released buffers that are reused, because a new buffer for each part would fill the memory until the next garbage collection. The
 * references are weak, so that the buffers can be collected.
 */
const freeBuffers: WeakRef<Uint8Array<ArrayBuffer>>[] = []

const partQueue = new RequestQueue(UPLOAD_PART_QUEUE, systemClock)

/** Waits for a buffer of UPLOAD_PART_BYTES, which is held until it is released. Fails as the queue does. */
export async function holdPart(
  key: string,
  queue = partQueue,
  now: Clock = systemClock,
): Promise<Result<HeldPart>> {
  return new Promise((resolve, reject) => {
    const work = queue.run(key, async (turn) => {
      const released = Promise.withResolvers<void>()
      resolve(ok(new HeldPart(turn, now, released.resolve)))
      // A request that was cut off never continues here. Its buffer is garbage collected with it.
      await released.promise
      return ok(null)
    })
    work.then((result) => result.ok || resolve(result), reject)
  })
}

export class HeldPart {
  readonly #turn: QueueTurn
  readonly #released: () => void
  /** The buffer, or null after it was lost or released. */
  #bytes: Uint8Array<ArrayBuffer> | null = takeFreeBuffer() ?? new Uint8Array(UPLOAD_PART_BYTES)
  #filled = 0
  /** Whether the part is complete, so that it waits for the store and no longer for its sender. */
  #isComplete = false

  constructor(turn: QueueTurn, now: Clock, released: () => void) {
    this.#turn = turn
    this.#released = released
    const since = now()
    turn.mayLose(
      () => {
        const ms = now() - since
        const pace = this.#filled / (ms / 1000)
        return !this.#isComplete && ms >= UPLOAD_PART_SLOW_MS && pace < BODY_QUEUED_PACE_BYTES_S ? pace : null
      },
      () => this.#drop(),
    )
  }

  get room(): number {
    return UPLOAD_PART_BYTES - this.#filled
  }

  /** Adds bytes up to the size of a part and returns their number, or null if the part was lost because it was too slow. */
  add(piece: Uint8Array): number | null {
    this.#turn.alive()
    if (!this.#bytes) return null
    const bytes = piece.subarray(0, this.room)
    this.#bytes.set(bytes, this.#filled)
    this.#filled += bytes.length
    return bytes.length
  }

  /** Returns the bytes to send, after which the part can no longer be lost. Null if it was lost before. */
  complete(): Uint8Array<ArrayBuffer> | null {
    this.#isComplete = true
    return this.#bytes?.subarray(0, this.#filled) ?? null
  }

  release(): void {
    this.#drop()
    this.#released()
  }

  #drop(): void {
    if (this.#bytes) freeBuffers.push(new WeakRef(this.#bytes))
    this.#bytes = null
  }
}

function takeFreeBuffer(): Uint8Array<ArrayBuffer> | undefined {
  for (;;) {
    const reference = freeBuffers.pop()
    const bytes = reference?.deref()
    if (!reference || bytes) return bytes
  }
}
