// So many bytes stand in an isolate's memory at once: whoever needs more waits, first come first served. Nothing rests on
// another request, as one that was cut off settles no promise and gives nothing back: who waits looks for itself now and
// then, and a place ends by itself.

import { LINE_LOOK_MS, LINE_SEEN_MS } from '../limits.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

export interface ByteLaneRules {
  /** Of all that hold a place. Who needs more than that gets it alone. */
  readonly bytes: number
  /** How long one waits before it is told to come back (ms). */
  readonly patienceMs: number
  /** After this (ms) whoever has a place was cut off. */
  readonly heldMs: number
}

interface Ticket {
  readonly bytes: number
  /** When whoever waits last looked. */
  seen: number
  /** When its place ends by itself, once it has one. */
  until: number
  readonly called: PromiseWithResolvers<void>
}

export class ByteLane {
  readonly #rules: ByteLaneRules
  readonly #now: Clock
  readonly #sleep: (ms: number, called: Promise<void>) => Promise<unknown>
  readonly #waiting = new Set<Ticket>()
  readonly #placed = new Set<Ticket>()

  constructor(rules: ByteLaneRules, now: Clock, sleep = within<void>) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /** Does `work` once there is room for so many bytes. Fails when it waited too long; rejects as `work` does. */
  async holding<T>(bytes: number, work: () => Promise<T>): Promise<Result<T, 'busy'>> {
    const ticket: Ticket = { bytes, seen: this.#now(), until: 0, called: Promise.withResolvers() }
    this.#waiting.add(ticket)
    this.#callNext()
    const patience = this.#now() + this.#rules.patienceMs
    while (!this.#placed.has(ticket)) {
      if (this.#now() >= patience) {
        this.#waiting.delete(ticket)
        this.#callNext()
        return err('busy')
      }
      await this.#sleep(LINE_LOOK_MS, ticket.called.promise)
      ticket.seen = this.#now()
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#placed.has(ticket)) this.#waiting.add(ticket)
      this.#callNext()
    }
    ticket.until = this.#now() + this.#rules.heldMs
    try {
      return ok(await work())
    } finally {
      this.#placed.delete(ticket)
      this.#callNext()
    }
  }

  /** Lets those in front through, as far as there is room. */
  #callNext(): void {
    const now = this.#now()
    let held = 0
    for (const placed of this.#placed)
      if (placed.until <= now) this.#placed.delete(placed)
      else held += placed.bytes
    for (const ticket of this.#waiting) {
      if (now - ticket.seen > LINE_SEEN_MS) {
        this.#waiting.delete(ticket)
        continue
      }
      if (held > 0 && held + ticket.bytes > this.#rules.bytes) return
      this.#waiting.delete(ticket)
      ticket.until = now + LINE_SEEN_MS
      this.#placed.add(ticket)
      held += ticket.bytes
      ticket.called.resolve()
    }
  }
}
