// First messages on their way: each makes an object with its database, which holds up the whole isolate for milliseconds.
// A few are let through at a time, the others wait in a line in which the keys take turns. Messages of threads that exist
// never come here.

import type { Clock } from '../lib/clock.ts'
import { fail, type Result } from '../lib/result.ts'
import {
  BIRTH_HELD_MS,
  BIRTH_LINE_MAX,
  BIRTH_LINE_OF_KEY,
  BIRTH_LOOK_MS,
  BIRTH_SEEN_MS,
  BIRTH_WAIT_MS,
  BIRTHS_AT_ONCE,
} from '../limits.ts'

/** One of the few that are on their way, until it says that it is done, or `until`. */
interface Held {
  until: number
}

interface Ticket {
  readonly key: string
  /** When whoever waits last looked: one that looks no more was cut off. */
  seen: number
  granted: Held | null
  readonly called: PromiseWithResolvers<void>
}

/** Waits so long, or until it is called. */
type Sleep = (ms: number, called: Promise<void>) => Promise<void>

/**
 * Nothing rests on another request: one that was cut off settles no promise, leaves no line and gives nothing back. So
 * everybody who waits looks for itself now and then, and what was granted ends by itself.
 */
export class Births {
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Who waits, by key. The first key's first ticket is next; a key that had its turn goes to the end. */
  readonly #line = new Map<string, Set<Ticket>>()
  #waiting = 0
  readonly #held = new Set<Held>()

  constructor(now: Clock, sleep: Sleep) {
    this.#now = now
    this.#sleep = sleep
  }

  /** Runs `birth` when its turn comes. Failure: `overloaded`, with a time, where too many wait or it waited too long. */
  async inTurn<T>(key: string, birth: () => Promise<Result<T>>): Promise<Result<T>> {
    const held = await this.#enter(key)
    if (!held)
      return fail('overloaded', 'Too many new conversations begin at once. Try again.', { retryAfterS: 2 })
    try {
      return await birth()
    } finally {
      this.#held.delete(held)
      this.#callNext()
    }
  }

  async #enter(key: string): Promise<Held | null> {
    if (this.#waiting === 0 && this.#hasRoom()) return this.#hold(BIRTH_HELD_MS)
    const ofKey = this.#line.get(key)?.size ?? 0
    if (this.#waiting >= BIRTH_LINE_MAX || ofKey >= BIRTH_LINE_OF_KEY) return null
    const patience = this.#now() + BIRTH_WAIT_MS
    let ticket = this.#join(key)
    for (;;) {
      this.#callNext()
      if (!ticket.granted) await this.#sleep(BIRTH_LOOK_MS, ticket.called.promise)
      const { granted } = ticket
      if (granted && this.#held.has(granted)) {
        granted.until = this.#now() + BIRTH_HELD_MS
        return granted
      }
      if (this.#now() >= patience) {
        this.#leave(ticket)
        return null
      }
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#line.get(key)?.has(ticket)) ticket = this.#join(key)
      ticket.seen = this.#now()
    }
  }

  #join(key: string): Ticket {
    const ticket = { key, seen: this.#now(), granted: null, called: Promise.withResolvers<void>() }
    const ofKey = this.#line.get(key) ?? new Set()
    this.#line.set(key, ofKey.add(ticket))
    this.#waiting += 1
    return ticket
  }

  #leave(ticket: Ticket): void {
    const ofKey = this.#line.get(ticket.key)
    if (!ofKey?.delete(ticket)) return
    this.#waiting -= 1
    if (ofKey.size === 0) this.#line.delete(ticket.key)
  }

  #hold(ms: number): Held {
    const held = { until: this.#now() + ms }
    this.#held.add(held)
    return held
  }

  #hasRoom(): boolean {
    for (const held of this.#held) if (held.until <= this.#now()) this.#held.delete(held)
    return this.#held.size < BIRTHS_AT_ONCE
  }

  /** Lets the next ones through, as many as there is room for. */
  #callNext(): void {
    while (this.#hasRoom()) {
      const [first] = this.#line
      if (!first) return
      const [key, ofKey] = first
      const [ticket] = ofKey
      if (!ticket) return
      this.#leave(ticket)
      if (this.#line.delete(key)) this.#line.set(key, ofKey)
      if (this.#now() - ticket.seen > BIRTH_SEEN_MS) continue
      ticket.granted = this.#hold(BIRTH_SEEN_MS)
      ticket.called.resolve()
    }
  }
}

/** For `Births` on the real clock. */
export async function untilCalled(ms: number, called: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([over, called])
  clearTimeout(timer)
}
