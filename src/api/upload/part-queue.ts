// Limits the memory for file parts that an isolate buffers before it sends them to R2. Uploads wait in a queue for this memory. A
// slow sender would hold a buffer for long, so a key leaves slots to others, and its slow parts lose their slots to keys without one.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES } from '../../limits/files.ts'
import { QUEUED_BODY_MIN_BYTES_PER_S } from '../../limits/skills.ts'
import { UPLOAD_PART_QUEUE, UPLOAD_PART_SLOW_AFTER_MS } from './limits.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import type { Slot } from '../../lib/semaphore-slot.ts'

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
    const work = queue.run(key, async (slot) => {
      const released = Promise.withResolvers<void>()
      resolve(ok(new HeldPart(slot, now, released.resolve)))
      // A request that was cut off never continues here. Its buffer is garbage collected with it.
      await released.promise
      return ok(null)
    })
    work.then((result) => result.ok || resolve(result), reject)
  })
}

export class HeldPart {
  readonly #slot: Slot
  readonly #released: () => void
  /** The buffer, or null after the slot was lost or released. */
  #bytes: Uint8Array<ArrayBuffer> | null = takeFreeBuffer() ?? new Uint8Array(UPLOAD_PART_BYTES)
  #filledBytes = 0
  /** Whether the part is complete. It then waits for the store and no longer for its sender. */
  #isComplete = false

  constructor(slot: Slot, now: Clock, released: () => void) {
    this.#slot = slot
    this.#released = released
    const startedAt = now()
    slot.allowPreemption(
      () => {
        const ms = now() - startedAt
        const pace = this.#filledBytes / (ms / 1000)
        return !this.#isComplete && ms >= UPLOAD_PART_SLOW_AFTER_MS && pace < QUEUED_BODY_MIN_BYTES_PER_S
          ? pace
          : null
      },
      () => this.#drop(),
    )
  }

  get freeBytes(): number {
    return UPLOAD_PART_BYTES - this.#filledBytes
  }

  /** Adds as many of these bytes as fit, and returns their number. Returns null if the part lost its slot because it was too slow. */
  add(piece: Uint8Array): number | null {
    this.#slot.reportProgress()
    if (!this.#bytes) return null
    const bytes = piece.subarray(0, this.freeBytes)
    this.#bytes.set(bytes, this.#filledBytes)
    this.#filledBytes += bytes.length
    return bytes.length
  }

  /** Returns the bytes to send, or null if the part has lost its slot. After this call it can no longer lose it. */
  complete(): Uint8Array<ArrayBuffer> | null {
    this.#isComplete = true
    return this.#bytes?.subarray(0, this.#filledBytes) ?? null
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
