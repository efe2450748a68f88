// A line in front of work that costs an isolate much: so many run at once, so many wait, so many of one key; the keys take
// turns. Nothing rests on another request: one that was cut off settles no promise, leaves no line and gives nothing back.
// So everybody who waits looks for itself now and then, and a place ends by itself.

import type { Clock } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { within } from '../lib/within.ts'
import { LINE_LOOK_MS, LINE_SEEN_MS } from '../limits.ts'

export interface LineRules {
  /** How many run at once. */
  readonly width: number
  /** How many wait behind them. */
  readonly room: number
  /** How many of one key run or wait. */
  readonly each: number
  /** How long one waits before it is told to come back (ms). */
  readonly patienceMs: number
  /** Work without a word for this long was cut off, or hangs (ms). */
  readonly heldMs: number
}

export interface Turn {
  /** The work still goes on. */
  readonly alive: () => void
}

/** Waits so long, or until it is called. */
type Sleep = (ms: number, called: Promise<void>) => Promise<unknown>

interface Ticket {
  readonly key: string
  /** When whoever waits last looked. */
  seen: number
  /** When its place ends by itself, once it has one. */
  until: number
  readonly called: PromiseWithResolvers<void>
}

export class Line {
  readonly #rules: LineRules
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Who waits, by key. The first key's first ticket is next; a key that had its turn goes to the end. */
  readonly #waiting = new Map<string, Set<Ticket>>()
  #count = 0
  readonly #placed = new Set<Ticket>()

  constructor(rules: LineRules, now: Clock, sleep: Sleep = within) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Runs `work` when its turn comes. Failures, each with a time: `rate_limited` where too many of this key are here,
   * `overloaded` where too many wait or it waited too long.
   */
  async inTurn<T>(key: string, work: (turn: Turn) => Promise<Result<T>>): Promise<Result<T>> {
    const entered = await this.#enter(key)
    if (!entered.ok) return entered
    const ticket = entered.value
    const alive = (): void => {
      ticket.until = this.#now() + this.#rules.heldMs
    }
    alive()
    try {
      return await work({ alive })
    } finally {
      this.#placed.delete(ticket)
      this.#callNext()
    }
  }

  async #enter(key: string): Promise<Result<Ticket>> {
    const { room, each, patienceMs } = this.#rules
    if (this.#ofKey(key) >= each) this.#dropGone()
    if (this.#ofKey(key) >= each) return tooMany(each)
    let ticket = this.#join(key)
    this.#callNext()
    if (this.#count > room && !this.#placed.has(ticket)) {
      this.#dropGone()
      if (this.#count > room) return this.#refuse(ticket)
    }
    const patience = this.#now() + patienceMs
    while (!this.#placed.has(ticket)) {
      if (this.#now() >= patience) return this.#refuse(ticket)
      await this.#sleep(LINE_LOOK_MS, ticket.called.promise)
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#placed.has(ticket) && !this.#waiting.get(key)?.has(ticket)) ticket = this.#join(key)
      ticket.seen = this.#now()
      this.#callNext()
    }
    return ok(ticket)
  }

  #refuse(ticket: Ticket): Result<never> {
    this.#leave(ticket)
    return fail('overloaded', 'Others are being served first. Try again.', { retryAfterS: 2 })
  }

  #ofKey(key: string): number {
    let count = this.#waiting.get(key)?.size ?? 0
    for (const placed of this.#placed) if (placed.key === key) count += 1
    return count
  }

  #join(key: string): Ticket {
    const ticket = { key, seen: this.#now(), until: 0, called: Promise.withResolvers<void>() }
    const ofKey = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, ofKey.add(ticket))
    this.#count += 1
    return ticket
  }

  #leave(ticket: Ticket): void {
    const ofKey = this.#waiting.get(ticket.key)
    if (!ofKey?.delete(ticket)) return
    this.#count -= 1
    if (ofKey.size === 0) this.#waiting.delete(ticket.key)
  }

  #isGone(ticket: Ticket): boolean {
    return this.#now() - ticket.seen > LINE_SEEN_MS
  }

  #dropGone(): void {
    this.#hasPlace()
    for (const ofKey of this.#waiting.values())
      for (const ticket of ofKey) if (this.#isGone(ticket)) this.#leave(ticket)
  }

  #hasPlace(): boolean {
    for (const placed of this.#placed) if (placed.until <= this.#now()) this.#placed.delete(placed)
    return this.#placed.size < this.#rules.width
  }

  /** Lets the next ones through, as many as there are places. */
  #callNext(): void {
    while (this.#hasPlace()) {
      const [first] = this.#waiting
      if (!first) return
      const [key, ofKey] = first
      const [ticket] = ofKey
      if (!ticket) return
      this.#leave(ticket)
      if (this.#waiting.delete(key)) this.#waiting.set(key, ofKey)
      if (this.#isGone(ticket)) continue
      ticket.until = this.#now() + LINE_SEEN_MS
      this.#placed.add(ticket)
      ticket.called.resolve()
    }
  }
}

function tooMany(each: number): Result<never> {
  const detail = `${each} requests of this kind are under way for you. Wait for the answer to one of them.`
  return fail('rate_limited', detail, { retryAfterS: 2 })
}
