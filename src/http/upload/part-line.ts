// The memory for parts that are gathered before they go to R2: an isolate's, so whoever needs one waits for its turn.

import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { UPLOAD_PART_BYTES, UPLOAD_PART_LINE } from '../../limits.ts'
import { Line } from '../line.ts'

export interface HeldPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly since: number
  /** It is still being filled. False: others wait for it. */
  readonly alive: () => boolean
  readonly release: () => void
}

const line = new Line(UPLOAD_PART_LINE, systemClock)

/** Used before, and free: made anew for each part they would fill the memory until it is collected, which these may be. */
const free: WeakRef<Uint8Array<ArrayBuffer>>[] = []

/** UPLOAD_PART_BYTES to be filled, until they are released. Failures: those of the line. */
export async function holdPart(key: string): Promise<Result<HeldPart>> {
  return new Promise((resolve, reject) => {
    const work = line.inTurn(key, async ({ alive }) => {
      const released = Promise.withResolvers<void>()
      const bytes = usedBefore() ?? new Uint8Array(UPLOAD_PART_BYTES)
      resolve(ok({ bytes, since: systemClock(), alive, release: released.resolve }))
      // One that was cut off never comes further: its buffer is collected with it.
      await released.promise
      free.push(new WeakRef(bytes))
      return ok(null)
    })
    work.then((done) => done.ok || resolve(done), reject)
  })
}

function usedBefore(): Uint8Array<ArrayBuffer> | undefined {
  for (;;) {
    const one = free.pop()
    const bytes = one?.deref()
    if (!one || bytes) return bytes
  }
}
