// The memory for parts that are gathered before they go to R2: an isolate's, so whoever needs one waits for its turn. Each is
// held while its sender fills it, so a key leaves places to others, and a slow sender loses its place to a key without one.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES } from '../../limits/files.ts'
import { BODY_QUEUED_PACE_BYTES_S } from '../../limits/skills.ts'
import { UPLOAD_PART_QUEUE, UPLOAD_PART_SLOW_MS } from './limits.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'

/** Used before, and free: made anew for each part they would fill the memory until it is collected, which these may be. */
const free: WeakRef<Uint8Array<ArrayBuffer>>[] = []

const line = new RequestQueue(UPLOAD_PART_QUEUE, systemClock)

/** UPLOAD_PART_BYTES to be filled, until they are released. Failures: those of the line. */
export async function holdPart(
  key: string,
  from = line,
  now: Clock = systemClock,
): Promise<Result<HeldPart>> {
  return new Promise((resolve, reject) => {
    const work = from.inTurn(key, async (turn) => {
      const released = Promise.withResolvers<void>()
      resolve(ok(new HeldPart(turn, now, released.resolve)))
      // One that was cut off never comes further: its buffer is collected with it.
      await released.promise
      return ok(null)
    })
    work.then((done) => done.ok || resolve(done), reject)
  })
}

export class HeldPart {
  readonly #turn: QueueTurn
  readonly #released: () => void
  /** Null: it was lost, or released. */
  #bytes: Uint8Array<ArrayBuffer> | null = usedBefore() ?? new Uint8Array(UPLOAD_PART_BYTES)
  #filled = 0
  /** Its sender has filled it: what it waits for now is the store. */
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

  /** How many of these bytes it took; null: it was too slow for others who wait, and nothing of it is left. */
  add(piece: Uint8Array): number | null {
    this.#turn.alive()
    if (!this.#bytes) return null
    const some = piece.subarray(0, this.room)
    this.#bytes.set(some, this.#filled)
    this.#filled += some.length
    return some.length
  }

  /** What it holds, to be sent; it is no longer lost by then. Null as for `add`. */
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

function usedBefore(): Uint8Array<ArrayBuffer> | undefined {
  for (;;) {
    const one = free.pop()
    const bytes = one?.deref()
    if (!one || bytes) return bytes
  }
}
