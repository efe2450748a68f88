// So many bytes stand in an isolate's memory at once: whoever needs more waits. Of those who wait, whoever holds the least is
// next. Nothing rests on another request, as one that was cut off settles no promise and gives nothing back: who waits looks
// for itself now and then, and a place ends by itself.

import { LINE_LOOK_MS, LINE_SEEN_MS } from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

export interface SemaphoreRules {
  /** Of all that hold a place. Who needs more than that gets it alone. */
  readonly bytes: number
  /** Of these, left free by keys that hold some already: for those that hold none. */
  readonly reserve: number
  /** How long one waits before it is told to come back (ms). */
  readonly patienceMs: number
  /** After this (ms) whoever has a place was cut off. */
  readonly heldMs: number
}

/** Who asks. Keys take turns, and the threads of one key do. */
export interface Holder {
  readonly key: string
  readonly thread: string
  /** Nobody waits for it any more. */
  readonly signal?: AbortSignal
  /** Is handed the wait: time that it takes is no time of the work. Absent: nobody counts it. */
  readonly waiting?: <T>(wait: Promise<T>) => Promise<T>
}

interface Ticket {
  readonly bytes: number
  readonly key: string
  readonly thread: string
  /** When whoever waits last looked. */
  seen: number
  /** When its place ends by itself, once it has one. */
  until: number
  readonly called: PromiseWithResolvers<void>
}

/** Those of one thread that wait, in their order. */
interface Group {
  readonly key: string
  readonly thread: string
  readonly tickets: Set<Ticket>
}

/** For waits in several objects of one isolate: a promise that another object settles may never come through to this one. */
export function lookEvery(ms: number): () => Promise<void> {
  return async () => new Promise((resolve) => setTimeout(resolve, ms))
}

export class WeightedSemaphore {
  readonly #rules: SemaphoreRules
  readonly #now: Clock
  readonly #sleep: (ms: number, called: Promise<void>) => Promise<unknown>
  /** By key and thread. */
  readonly #waiting = new Map<string, Group>()
  readonly #placed = new Set<Ticket>()
  /** Key, or key and thread → number of its last turn, while it has any ticket. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  /** Until then nobody who waits can be let through, unless somebody comes or goes. */
  #fullUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep = within<void>) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /** Does `work` once there is room for so many bytes. Fails when it waited too long; rejects as `work` does. */
  async holding<T>(holder: Holder, bytes: number, work: () => Promise<T>): Promise<Result<T, 'busy'>> {
    const { key, thread, signal, waiting = (wait) => wait } = holder
    const called = Promise.withResolvers<void>()
    const ticket: Ticket = { bytes, key, thread, seen: this.#now(), until: 0, called }
    this.#join(ticket)
    this.#callNext()
    if (!this.#placed.has(ticket) && !(await waiting(this.#wait(ticket, signal)))) return err('busy')
    ticket.until = this.#now() + this.#rules.heldMs
    try {
      return ok(await work())
    } finally {
      this.#placed.delete(ticket)
      this.#fullUntil = 0
      this.#callNext()
    }
  }

  /** True once it has a place; false: it waited too long, or nobody waits for it. */
  async #wait(ticket: Ticket, signal: AbortSignal | undefined): Promise<boolean> {
    const patience = this.#now() + this.#rules.patienceMs
    while (!this.#placed.has(ticket)) {
      if (this.#now() >= patience || signal?.aborted) {
        this.#leave(ticket)
        this.#callNext()
        return false
      }
      await this.#sleep(LINE_LOOK_MS, ticket.called.promise)
      ticket.seen = this.#now()
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#placed.has(ticket)) this.#join(ticket)
      this.#callNext()
    }
    return true
  }

  #join(ticket: Ticket): void {
    const { key, thread } = ticket
    const name = nameOf(ticket)
    const group = this.#waiting.get(name) ?? { key, thread, tickets: new Set() }
    if (group.tickets.has(ticket)) return
    this.#fullUntil = 0
    group.tickets.add(ticket)
    this.#waiting.set(name, group)
  }

  #leave(ticket: Ticket): void {
    const name = nameOf(ticket)
    const group = this.#waiting.get(name)
    this.#fullUntil = 0
    group?.tickets.delete(ticket)
    if (group?.tickets.size === 0) this.#waiting.delete(name)
  }

  /** Lets those who are next through, as far as there is room. */
  #callNext(): void {
    const now = this.#now()
    // Each of hundreds who wait looks many times a second.
    if (now < this.#fullUntil) return
    const held = new Map<string, number>()
    let all = 0
    const hold = (ticket: Ticket): void => {
      all += ticket.bytes
      for (const name of [ticket.key, nameOf(ticket)]) held.set(name, (held.get(name) ?? 0) + ticket.bytes)
    }
    for (const placed of this.#placed)
      if (placed.until <= now) this.#placed.delete(placed)
      else hold(placed)
    for (;;) {
      const ticket = this.#next(held)
      if (!ticket) break
      if (now - ticket.seen > LINE_SEEN_MS) {
        this.#leave(ticket)
        continue
      }
      const reserve = (held.get(ticket.key) ?? 0) > 0 ? this.#rules.reserve : 0
      if (all > 0 && all + ticket.bytes + reserve > this.#rules.bytes) {
        this.#fullUntil = Math.min(ticket.seen + LINE_SEEN_MS, ...[...this.#placed].map(({ until }) => until))
        return
      }
      this.#leave(ticket)
      ticket.until = now + LINE_SEEN_MS
      this.#placed.add(ticket)
      hold(ticket)
      this.#turn += 1
      for (const name of [ticket.key, nameOf(ticket)]) this.#turns.set(name, this.#turn)
      ticket.called.resolve()
    }
    if (this.#placed.size === 0) this.#turns.clear()
  }

  /** Of the key that holds the least, then of its thread that does; of equals, of the one whose last turn was longest ago. */
  #next(held: ReadonlyMap<string, number>): Ticket | undefined {
    const rank = ({ key, thread }: Group): readonly number[] =>
      [key, nameOf({ key, thread })].flatMap((name) => [held.get(name) ?? 0, this.#turns.get(name) ?? 0])
    let first: Group | undefined
    let least: readonly number[] = []
    for (const group of this.#waiting.values()) {
      const own = rank(group)
      const at = own.findIndex((number, index) => number !== least[index])
      if (first && (own[at] ?? 0) >= (least[at] ?? 0)) continue
      first = group
      least = own
    }
    return first?.tickets.values().next().value
  }
}

function nameOf({ key, thread }: Pick<Ticket, 'key' | 'thread'>): string {
  return `${key} ${thread}`
}
