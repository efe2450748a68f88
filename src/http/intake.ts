// The bodies that an isolate is reading, together: its memory is everybody's.

import type { Clock } from '../lib/clock.ts'
import { BODIES_MAX_BYTES, BODY_SILENT_MS } from '../limits.ts'

interface Body {
  bytes: number
  /** When something of it came last. */
  at: number
}

export interface Coming {
  /** False: there is no room for a body that is so large by now (bytes). */
  has(bytes: number): boolean
  end(): void
}

export class Intake {
  readonly #now: Clock
  readonly #max: number
  readonly #bodies = new Set<Body>()
  #bytes = 0

  constructor(now: Clock, max = BODIES_MAX_BYTES) {
    this.#now = now
    this.#max = max
  }

  begin(): Coming {
    const body: Body = { bytes: 0, at: this.#now() }
    this.#bodies.add(body)
    return {
      has: (bytes) => {
        body.at = this.#now()
        if (!this.#bodies.has(body)) return false
        this.#bytes += bytes - body.bytes
        body.bytes = bytes
        if (this.#bytes <= this.#max) return true
        this.#dropGone()
        return this.#bytes <= this.#max
      },
      end: () => this.#drop(body),
    }
  }

  /** A request that was cut off tells nobody. One that is silent for so long is refused by whoever reads it. */
  #dropGone(): void {
    for (const body of this.#bodies) if (this.#now() - body.at > 2 * BODY_SILENT_MS) this.#drop(body)
  }

  #drop(body: Body): void {
    if (this.#bodies.delete(body)) this.#bytes -= body.bytes
  }
}
