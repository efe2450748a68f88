// Memory for parts that are buffered before they go to R2. It belongs to the isolate, so uploads queue for it. A slow sender
// holds a part while it fills, so a key leaves slots to others and loses a slow part to a key without one.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES } from '../../limits/files.ts'
import { BODY_QUEUED_PACE_BYTES_S } from '../../limits/skills.ts'
import { UPLOAD_PART_QUEUE, UPLOAD_PART_SLOW_MS } from './limits.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'

/**
 * Freed buffers for reuse: new ones for each part would fill the memory until garbage collection. Weak, so that they can be
 * collected.
 */
const free: WeakRef<Uint8Array<ArrayBuffer>>[] = []

const line = new RequestQueue(UPLOAD_PART_QUEUE, systemClock)

/** A buffer of UPLOAD_PART_BYTES, until released. Fails as the queue does. */
export async function holdPart(
  key: string,
  from = line,
  now: Clock = systemClock,
): Promise<Result<HeldPart>> {
  return new Promise((resolve, reject) => {
    const work = from.run(key, async (turn) => {
      const released = Promise.withResolvers<void>()
      resolve(ok(new HeldPart(turn, now, released.resolve)))
      // A request that was cut off stays here: its buffer is collected with it.
      await released.promise
      return ok(null)
    })
    work.then((done) => done.ok || resolve(done), reject)
  })
}

export class HeldPart {
  readonly #turn: QueueTurn
  readonly #released: () => void
  /** Null if it was lost or released. */
  #bytes: Uint8Array<ArrayBuffer> | null = takeFreeBuffer() ?? new Uint8Array(UPLOAD_PART_BYTES)
  #filled = 0
  /** It is full, and now waits for the store rather than its sender. */
  #isFull = false

  constructor(turn: QueueTurn, now: Clock, released: () => void) {
    this.#turn = turn
    this.#released = released
    const since = now()
    turn.mayLose(
      () => {
        const ms = now() - since
        const pace = this.#filled / (ms / 1000)
        return !this.#isFull && ms >= UPLOAD_PART_SLOW_MS && pace < BODY_QUEUED_PACE_BYTES_S ? pace : null
      },
      () => this.#drop(),
    )
  }

  get room(): number {
    return UPLOAD_PART_BYTES - this.#filled
  }

  /** How many bytes it took; null if it was too slow while others waited: then its bytes are gone. */
  add(piece: Uint8Array): number | null {
    this.#turn.alive()
    if (!this.#bytes) return null
    const some = piece.subarray(0, this.room)
    this.#bytes.set(some, this.#filled)
    this.#filled += some.length
    return some.length
  }

  /** Its bytes, to be sent; it can no longer be lost. Null as for `add`. */
  whole(): Uint8Array<ArrayBuffer> | null {
    this.#isFull = true
    return this.#bytes?.subarray(0, this.#filled) ?? null
  }

  release(): void {
    this.#drop()
    this.#released()
  }

  #drop(): void {
    if (this.#bytes) free.push(new WeakRef(this.#bytes))
    this.#bytes = null
  }
}

function takeFreeBuffer(): Uint8Array<ArrayBuffer> | undefined {
  for (;;) {
    const one = free.pop()
    const bytes = one?.deref()
    if (!one || bytes) return bytes
  }
}
