// So much may be held at once in an isolate, bytes of memory or slots: whoever needs more waits. Of those who wait, whoever
// holds the least is next. Nothing rests on another request, as one that was cut off settles no promise and gives nothing
// back: who waits looks for itself now and then, and a place ends by itself.

import { QUEUE_LOOK_MS, QUEUE_SEEN_MS } from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

export interface SemaphoreRules {
  /** Of all that hold a place. Who needs more than that gets it alone. */
  readonly bytes: number
  /** Of these, left free by keys that hold some already, for those that hold none: so many, or as many as they hold. */
  readonly reserve: number | 'held'
  /** How many wait, and how many of one key wait or have a place. Absent: any. */
  readonly room?: number
  readonly each?: number
  /** How long one waits before it is told to come back (ms). */
  readonly timeoutMs: number
  /** After this without a word (ms) whoever has a place was cut off, or hangs. */
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

export interface QueueTurn {
  /** The work still goes on. False: another key waits for its place. */
  readonly alive: () => boolean
  /**
   * `ask` is called while a key waits that holds no place: the pace of this work where it is too slow to keep its own,
   * else null. The slowest of the key that holds the most is the one that loses its place; it hears of it by `lose`.
   */
  readonly mayLose: (ask: () => number | null, lose: () => void) => void
}

/** Waits so long, or until it is called. */
export type Sleep = (ms: number, called: Promise<void>) => Promise<unknown>

interface Ticket {
  readonly bytes: number
  readonly key: string
  readonly thread: string
  /** When whoever waits last looked. */
  seen: number
  /** When its place ends by itself, once it has one. */
  until: number
  called: PromiseWithResolvers<void>
  /** The room was full, and its key had the most waiting. */
  refused: boolean
  slow: () => number | null
  lose: () => void
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
  readonly #sleep: Sleep
  /** By key and thread. */
  readonly #waiting = new Map<string, Group>()
  #count = 0
  readonly #placed = new Set<Ticket>()
  /** Key, or key and thread → number of its last turn, while it has any ticket. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  /** Until then nobody who waits can be let through, unless somebody comes or goes. */
  #fullUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep: Sleep = within) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Does `work` once there is room for so many bytes. Fails with `many` where too many of this key are here, with `busy`
   * where too many wait or it waited too long; rejects as `work` does.
   */
  async holding<T>(
    holder: Holder,
    bytes: number,
    work: (turn: QueueTurn) => Promise<T>,
  ): Promise<Result<T, 'busy' | 'many'>> {
    const { key, thread, signal, waiting = (wait) => wait } = holder
    const { room = Infinity, each = Infinity } = this.#rules
    if (this.#ofKey(key) >= each) this.#dropGone()
    if (this.#ofKey(key) >= each) return err('many')
    const ticket: Ticket = {
      bytes,
      key,
      thread,
      seen: this.#now(),
      until: 0,
      called: Promise.withResolvers(),
      refused: false,
      slow: () => null,
      lose: () => {},
    }
    this.#join(ticket)
    this.#callNext()
    if (this.#count > room && !this.#placed.has(ticket)) {
      this.#dropGone()
      if (this.#count > room) this.#refuseLast(key)
      if (ticket.refused) return err('busy')
    }
    if (!this.#placed.has(ticket) && !(await waiting(this.#wait(ticket, signal)))) return err('busy')
    const alive = (): boolean => {
      ticket.until = this.#now() + this.#rules.heldMs
      return ![...this.#waiting.values()].some((group) => group.key !== key)
    }
    const mayLose: QueueTurn['mayLose'] = (ask, lose) => {
      ticket.slow = ask
      ticket.lose = lose
    }
    alive()
    try {
      return ok(await work({ alive, mayLose }))
    } finally {
      this.#giveBack(ticket)
      this.#callNext()
    }
  }

  /** True once it has a place; false: it waited too long, was refused, or nobody waits for it. */
  async #wait(ticket: Ticket, signal: AbortSignal | undefined): Promise<boolean> {
    const timeout = this.#now() + this.#rules.timeoutMs
    while (!this.#placed.has(ticket)) {
      if (this.#now() >= timeout || signal?.aborted) {
        this.#leave(ticket)
        this.#callNext()
        return false
      }
      await this.#sleep(QUEUE_LOOK_MS, ticket.called.promise)
      if (ticket.refused) return false
      ticket.seen = this.#now()
      // Taken for lost, while the isolate stood still: it waits again.
      if (!this.#placed.has(ticket)) this.#join(ticket)
      this.#callNext()
      if (!this.#placed.has(ticket) && this.#placedOf(ticket.key) === 0 && this.#takeBack()) this.#callNext()
    }
    return true
  }

  /** The place of work that is too slow to keep it, for a key that has none. False: there is no such work. */
  #takeBack(): boolean {
    const slow = [...this.#placed].flatMap((ticket) => {
      const pace = ticket.slow()
      return pace === null ? [] : [{ ticket, pace, held: this.#placedOf(ticket.key) }]
    })
    const [found] = slow.toSorted((a, b) => b.held - a.held || a.pace - b.pace)
    if (!found) return false
    this.#giveBack(found.ticket)
    found.ticket.lose()
    return true
  }

  /** Of a full room: the one that came last of the key that has the most waiting, of `key` where no other has more. */
  #refuseLast(key: string): void {
    const ofKey = new Map<string, Ticket[]>([[key, []]])
    for (const group of this.#waiting.values())
      ofKey.set(group.key, [...(ofKey.get(group.key) ?? []), ...group.tickets])
    const [most = []] = [...ofKey.values()].toSorted((a, b) => b.length - a.length)
    const last = most.at(-1)
    if (!last) return
    this.#leave(last)
    last.refused = true
    last.called.resolve()
  }

  #placedOf(key: string): number {
    let count = 0
    for (const placed of this.#placed) if (placed.key === key) count += 1
    return count
  }

  #ofKey(key: string): number {
    let count = this.#placedOf(key)
    for (const group of this.#waiting.values()) if (group.key === key) count += group.tickets.size
    return count
  }

  #join(ticket: Ticket): void {
    const { key, thread } = ticket
    const name = nameOf(ticket)
    const group = this.#waiting.get(name) ?? { key, thread, tickets: new Set() }
    if (group.tickets.has(ticket)) return
    this.#fullUntil = 0
    this.#count += 1
    ticket.called = Promise.withResolvers()
    group.tickets.add(ticket)
    this.#waiting.set(name, group)
  }

  #leave(ticket: Ticket): void {
    const name = nameOf(ticket)
    const group = this.#waiting.get(name)
    this.#fullUntil = 0
    if (!group?.tickets.delete(ticket)) return
    this.#count -= 1
    if (group.tickets.size === 0) this.#waiting.delete(name)
  }

  #giveBack(ticket: Ticket): void {
    this.#placed.delete(ticket)
    this.#fullUntil = 0
  }

  #isGone(ticket: Ticket): boolean {
    return this.#now() - ticket.seen > QUEUE_SEEN_MS
  }

  /** Those who were cut off, with a place and without. */
  #dropGone(): void {
    for (const placed of this.#placed) if (placed.until <= this.#now()) this.#giveBack(placed)
    for (const { tickets } of this.#waiting.values())
      for (const ticket of tickets) if (this.#isGone(ticket)) this.#leave(ticket)
  }

  /** Lets those who are next through, as far as there is room. */
  #callNext(): void {
    const now = this.#now()
    const { bytes, reserve } = this.#rules
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
      if (this.#isGone(ticket)) {
        this.#leave(ticket)
        continue
      }
      const own = held.get(ticket.key) ?? 0
      const left = reserve === 'held' ? own : own > 0 ? reserve : 0
      if (all > 0 && all + ticket.bytes + left > bytes) {
        this.#fullUntil = Math.min(
          ticket.seen + QUEUE_SEEN_MS,
          ...[...this.#placed].map(({ until }) => until),
        )
        return
      }
      this.#leave(ticket)
      ticket.until = now + QUEUE_SEEN_MS
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
