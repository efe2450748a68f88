// A weighted semaphore of an isolate, for bytes of memory or slots. The waiter that holds the least is next. Depends on no other
// request, because one that was cut off settles no promise and releases nothing: waiters poll now and then, and slots expire.

import { QUEUE_LOOK_MS, QUEUE_SEEN_MS } from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

export interface SemaphoreRules {
  /** The total of all slots. Larger work gets it alone. */
  readonly bytes: number
  /** The part left free for keys that hold none: a number, or as much as the asking key holds. */
  readonly reserve: number | 'held'
  /** How many may wait, and how many of one key may wait or hold a slot. Absent: any number. */
  readonly room?: number
  readonly each?: number
  /** How long a request waits before it fails (ms). */
  readonly timeoutMs: number
  /** After this silence (ms) the holder of a slot was cut off or hangs. */
  readonly heldMs: number
}

/** The requester. Keys take turns, and so do the threads of a key. */
export interface Holder {
  readonly key: string
  readonly thread: string
  /** Nobody waits for it any more. */
  readonly signal?: AbortSignal
  /** Receives the wait, which does not count as time of the work. Absent: not measured. */
  readonly waiting?: <T>(wait: Promise<T>) => Promise<T>
}

export interface QueueTurn {
  /** Reports progress. False: another key waits for the slot. */
  readonly alive: () => boolean
  /**
   * `ask` is called while a key without a slot waits: it returns the pace of this work if it is too slow to keep its slot, else
   * null. The slowest work of the key that holds the most loses its slot and is notified by `lose`.
   */
  readonly mayLose: (ask: () => number | null, lose: () => void) => void
}

/** Waits this long, or until it is called. */
export type Sleep = (ms: number, called: Promise<void>) => Promise<unknown>

interface Ticket {
  readonly bytes: number
  readonly key: string
  readonly thread: string
  /** When its requester last polled. */
  seen: number
  /** When its slot expires, once it has one. */
  until: number
  called: PromiseWithResolvers<void>
  /** The queue was full, and its key had the most waiting. */
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

/** For waits across objects of one isolate: a promise settled by another object may never resolve here. */
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
  /** Key, or key and thread → number of its last turn, while it has a ticket. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  /** Until then no waiter can proceed, unless the queue changes. */
  #fullUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep: Sleep = within) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Runs `work` once there is space for its bytes. Fails with `many` if this key has too many requests here, with
   * `busy` if too many wait or the wait was too long; rejects as `work` does.
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

  /** True once it has a slot; false if it timed out, was refused, or nobody waits for it. */
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
      // It was dropped while the isolate was blocked, so it waits again.
      if (!this.#placed.has(ticket)) this.#join(ticket)
      this.#callNext()
      if (!this.#placed.has(ticket) && this.#placedOf(ticket.key) === 0 && this.#takeBack()) this.#callNext()
    }
    return true
  }

  /** Takes the slot of work that is too slow, for a key that has none. False: there is no such work. */
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

  /** From a full queue: the newest ticket of the key with the most waiting, or of `key` on a tie. */
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

  /** Drops requests that were cut off, waiting or holding. */
  #dropGone(): void {
    for (const placed of this.#placed) if (placed.until <= this.#now()) this.#giveBack(placed)
    for (const { tickets } of this.#waiting.values())
      for (const ticket of tickets) if (this.#isGone(ticket)) this.#leave(ticket)
  }

  /** Admits the next tickets, as far as there is space. */
  #callNext(): void {
    const now = this.#now()
    const { bytes, reserve } = this.#rules
    // Hundreds of waiters poll many times a second.
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

  /** From the key that holds the least, then its thread that does; on a tie, from the one whose last turn is longest ago. */
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
