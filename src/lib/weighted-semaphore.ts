// A weighted semaphore for an isolate's memory or slots. The waiter whose key holds the least is next. It
// does not depend on other requests: one that was cut off settles no promise and releases nothing, so waiters
// poll and slots expire.

import { QUEUE_LOOK_MS, QUEUE_SEEN_MS } from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

export interface SemaphoreRules {
  /** The total for all slots. Work that needs more gets the whole semaphore to itself. */
  readonly bytes: number
  /** Bytes left free for keys that hold none: a fixed number, or as many as the requesting key holds. */
  readonly reserve: number | 'held'
  /** How many requests may wait, and how many of one key may wait or hold a slot. No limit if absent. */
  readonly room?: number
  readonly each?: number
  /** How long a request waits before it fails, in milliseconds. */
  readonly timeoutMs: number
  /** After this many milliseconds without progress, the holder of a slot is considered cut off or hanging. */
  readonly heldMs: number
}

/** Who requests a slot. Keys are served in turn, and so are the threads of each key. */
export interface Holder {
  readonly key: string
  readonly thread: string
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal
  /** Receives the promise of the wait, so that the caller can exclude the wait from the work's time. */
  readonly waiting?: <T>(wait: Promise<T>) => Promise<T>
}

export interface QueueTurn {
  /** Reports progress. Returns false if another key waits for the slot. */
  readonly alive: () => boolean
  /**
   * `ask` is called while a key without a slot waits. It returns the pace of this work if that is too slow to keep its
   * slot, otherwise null. `lose` is called if the slot is taken: from the slowest work of the key that holds the most.
   */
  readonly mayLose: (ask: () => number | null, lose: () => void) => void
}

/** Waits for `ms`, or until `called` resolves. */
export type Sleep = (ms: number, called: Promise<void>) => Promise<unknown>

interface Ticket {
  readonly bytes: number
  readonly key: string
  readonly thread: string
  /** When the requester last polled. */
  seen: number
  /** When the slot expires, if the ticket has one. */
  until: number
  called: PromiseWithResolvers<void>
  /** True if the queue was full and this ticket's key had the most waiting tickets. */
  refused: boolean
  slow: () => number | null
  lose: () => void
}

/** The waiting tickets of one thread, in order. */
interface Group {
  readonly key: string
  readonly thread: string
  readonly tickets: Set<Ticket>
}

/** For waits across objects of one isolate: a promise that another object settles may never resolve here. */
export function lookEvery(ms: number): () => Promise<void> {
  return async () => new Promise((resolve) => setTimeout(resolve, ms))
}

export class WeightedSemaphore {
  readonly #rules: SemaphoreRules
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Groups of waiting tickets, by key and thread. */
  readonly #waiting = new Map<string, Group>()
  #count = 0
  readonly #placed = new Set<Ticket>()
  /** The number of the last turn of each key, and of each key and thread, that has a ticket. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  /** Until this time no waiter can proceed, unless the queue changes. */
  #fullUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep: Sleep = within) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Runs `work` once there is space. Fails with `many` (requests of this key) or `busy` (too many wait, or
   * timeout).
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

  /** Returns whether the ticket got a slot; false if it timed out, was refused, or nobody waits for it. */
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
      // The ticket was dropped while the isolate was blocked, so it waits again.
      if (!this.#placed.has(ticket)) this.#join(ticket)
      this.#callNext()
      if (!this.#placed.has(ticket) && this.#placedOf(ticket.key) === 0 && this.#takeBack()) this.#callNext()
    }
    return true
  }

  /** Takes the slot of work that is too slow, for a key that has none. Returns false if there is none. */
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

  /** Refuses a ticket of a full queue: the newest of the key with the most waiting (`key` on a tie). */
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

  /** Drops requests that were cut off, whether they are waiting or have a slot. */
  #dropGone(): void {
    for (const placed of this.#placed) if (placed.until <= this.#now()) this.#giveBack(placed)
    for (const { tickets } of this.#waiting.values())
      for (const ticket of tickets) if (this.#isGone(ticket)) this.#leave(ticket)
  }

  /** Admits the next tickets as long as there is space. */
  #callNext(): void {
    const now = this.#now()
    const { bytes, reserve } = this.#rules
    // Checked first, because hundreds of waiters poll many times a second.
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

  /** The next ticket: of the key and thread that hold the least; on a tie, of the one served longest ago. */
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
