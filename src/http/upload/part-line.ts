// The memory for parts that are gathered before they go to R2: an isolate's, so whoever needs one waits for its turn.

import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES, UPLOAD_PART_LINE } from '../../limits.ts'
import { Line } from '../line.ts'

export interface HeldPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** It is still being filled. */
  readonly alive: () => void
  readonly release: () => void
}

const line = new Line(UPLOAD_PART_LINE, systemClock)

/** Used before, and free: made anew each time they would fill the memory until somebody collects them. */
let free: Uint8Array<ArrayBuffer>[] = []
let held = 0

/** UPLOAD_PART_BYTES to be filled, until they are released. Failures: those of the line. */
export async function holdPart(key: string): Promise<Result<HeldPart>> {
  return new Promise((resolve, reject) => {
    const work = line.inTurn(key, async ({ alive }) => {
      const released = Promise.withResolvers<void>()
      const bytes = free.pop() ?? new Uint8Array(UPLOAD_PART_BYTES)
      held += 1
      resolve(ok({ bytes, alive, release: released.resolve }))
      await released.promise
      held -= 1
      free.push(bytes)
      // A quiet isolate needs none. One that was cut off never comes here, and its buffer is collected with it.
      if (held <= 0 || free.length > UPLOAD_PART_LINE.width) free = []
      return ok(null)
    })
    work.then((done) => done.ok || resolve(done), reject)
  })
}
