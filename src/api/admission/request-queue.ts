// A line in front of work that costs an isolate much: so many run at once, so many wait, so many of one key; the keys take
// turns. Nothing rests on another request: one that was cut off settles no promise, leaves no line and gives nothing back.
// So everybody who waits looks for itself now and then, and a place ends by itself.

import type { Clock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { within } from '../../lib/within.ts'
import { LINE_LOOK_MS, LINE_SEEN_MS } from '../../limits/skills.ts'

export interface QueueRules {
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
  /** A key gets one more place only while more places are free than it holds. Absent: as many as are free. */
  readonly leavesFree?: boolean
}

export interface QueueTurn {
  /** The work still goes on. False: somebody else waits for its place. */
  readonly alive: () => boolean
  /**
   * `ask` is called while a key waits that holds no place: the pace of this work where it is too slow to keep its own,
   * else null. The slowest of the key that holds the most is the one that loses its place; it hears of it by `lose`.
   */
  readonly mayLose: (ask: () => number | null, lose: () => void) => void
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
  /** The room was full, and its key had the most waiting. */
  refused: boolean
  slow: () => number | null
  lose: () => void
}

const NEVER_SLOW = (): null => null
const NOTHING = (): void => undefined

export class RequestQueue {
  readonly #rules: QueueRules
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Who waits, by key. The first key's first ticket is next; a key that had its turn goes to the end. */
  readonly #waiting = new Map<string, Set<Ticket>>()
  #count = 0
  readonly #placed = new Set<Ticket>()

  constructor(rules: QueueRules, now: Clock, sleep: Sleep = within) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Runs `work` when its turn comes. Failures, each with a time: `rate_limited` where too many of this key are here,
   * `overloaded` where too many wait or it waited too long.
   */
  async inTurn<T>(key: string, work: (turn: QueueTurn) => Promise<Result<T>>): Promise<Result<T>> {
    const entered = await this.#enter(key)
    if (!entered.ok) return entered
    const ticket = entered.value
    const alive = (): boolean => {
      ticket.until = this.#now() + this.#rules.heldMs
      return !this.#othersWait(key)
    }
    const mayLose: QueueTurn['mayLose'] = (ask, lose) => {
      ticket.slow = ask
      ticket.lose = lose
    }
    alive()
    try {
      return await work({ alive, mayLose })
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
      if (this.#count > room) this.#leave(this.#toRefuse(ticket))
      if (!this.#isWaiting(ticket)) return BUSY
    }
    const patience = this.#now() + patienceMs
    while (!this.#placed.has(ticket)) {
      if (this.#now() >= patience) {
        this.#leave(ticket)
        return BUSY
      }
      await this.#sleep(LINE_LOOK_MS, ticket.called.promise)
      if (ticket.refused) return BUSY
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#placed.has(ticket) && !this.#isWaiting(ticket)) ticket = this.#join(key)
      ticket.seen = this.#now()
      this.#callNext()
      if (!this.#placed.has(ticket) && this.#held(key) === 0 && this.#takeBack()) this.#callNext()
    }
    return ok(ticket)
  }

  /** The place of work that is too slow to keep it, for a key that has none. False: there is no such work. */
  #takeBack(): boolean {
    let found: { readonly ticket: Ticket; readonly held: number; readonly pace: number } | null = null
    for (const ticket of this.#placed) {
      const pace = ticket.slow()
      if (pace === null) continue
      const held = this.#held(ticket.key)
      if (found && (held < found.held || (held === found.held && pace >= found.pace))) continue
      found = { ticket, held, pace }
    }
    if (!found) return false
    this.#placed.delete(found.ticket)
    found.ticket.lose()
    return true
  }

  /** Places of a key. */
  #held(key: string): number {
    let count = 0
    for (const placed of this.#placed) if (placed.key === key) count += 1
    return count
  }

  /** Of a full room: the one that came last of the key that has the most waiting, `ticket` where no key has more than its own. */
  #toRefuse(ticket: Ticket): Ticket {
    let most = this.#waiting.get(ticket.key)?.size ?? 0
    let last = ticket
    for (const ofKey of this.#waiting.values())
      if (ofKey.size > most) {
        most = ofKey.size
        last = [...ofKey].at(-1) ?? last
      }
    last.refused = true
    last.called.resolve()
    return last
  }

  #isWaiting(ticket: Ticket): boolean {
    return this.#waiting.get(ticket.key)?.has(ticket) === true
  }

  #othersWait(key: string): boolean {
    return this.#waiting.size > (this.#waiting.has(key) ? 1 : 0)
  }

  #ofKey(key: string): number {
    return (this.#waiting.get(key)?.size ?? 0) + this.#held(key)
  }

  #join(key: string): Ticket {
    const called = Promise.withResolvers<void>()
    const ticket = {
      key,
      seen: this.#now(),
      until: 0,
      called,
      refused: false,
      slow: NEVER_SLOW,
      lose: NOTHING,
    }
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
    this.#dropLost()
    for (const ofKey of this.#waiting.values())
      for (const ticket of ofKey) if (this.#isGone(ticket)) this.#leave(ticket)
  }

  #dropLost(): void {
    for (const placed of this.#placed) if (placed.until <= this.#now()) this.#placed.delete(placed)
  }

  /** The first key that may have a place. */
  #nextKey(): readonly [string, Set<Ticket>] | undefined {
    const { width, leavesFree } = this.#rules
    const free = width - this.#placed.size
    if (free <= 0) return undefined
    for (const one of this.#waiting) if (!leavesFree || this.#held(one[0]) < free) return one
    return undefined
  }

  /** Lets the next ones through, as many as there are places. */
  #callNext(): void {
    for (;;) {
      this.#dropLost()
      const first = this.#nextKey()
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

const BUSY = fail('overloaded', 'Others are being served first. Try again.', { retryAfterS: 2 })

function tooMany(each: number): Result<never> {
  const detail = `${each} requests of this kind are under way for you. Wait for the answer to one of them.`
  return fail('rate_limited', detail, { retryAfterS: 2 })
}
