// A weighted semaphore for an isolate's memory or slots. The waiter whose key holds the least is next. It
// does not depend on other requests: one that was cut off settles no promise and releases nothing, so waiters
// poll and slots expire.

import { QUEUE_LOOK_MS, QUEUE_SEEN_MS } from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { err, ok, type Result } from './result.ts'
import { withTimeout } from './with-timeout.ts'

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
   * `ask` is called while a key without a slot waits. It returns the pace of this work if that is too slow to
   * keep its slot, otherwise null. `lose` is called if the slot is taken: from the slowest work of the key
   * that holds the most.
   */
  readonly mayLose: (ask: () => number | null, lose: () => void) => void
}

/** Waits for `ms`, or until `wakeUp` resolves. */
export type Sleep = (ms: number, wakeUp: Promise<void>) => Promise<unknown>

interface Ticket {
  readonly bytes: number
  readonly key: string
  readonly thread: string
  /** When the requester last polled. */
  lastPolledAt: number
  /** When the slot expires, if the ticket has one. */
  expiresAt: number
  wakeUp: PromiseWithResolvers<void>
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
export function pollEvery(ms: number): () => Promise<void> {
  return async () => new Promise((resolve) => setTimeout(resolve, ms))
}

export class WeightedSemaphore {
  readonly #rules: SemaphoreRules
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Groups of waiting tickets, by key and thread. */
  readonly #waiting = new Map<string, Group>()
  #count = 0
  readonly #admitted = new Set<Ticket>()
  /** The number of the last turn of each key, and of each key and thread, that has a ticket. */
  readonly #turns = new Map<string, number>()
  #turn = 0
  /** Until this time no waiter can proceed, unless the queue changes. */
  #blockedUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep: Sleep = withTimeout) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /** Runs `work` once there is space. Fails with `many` (of this key) or `busy` (in total, or timeout). */
  async holding<T>(
    holder: Holder,
    bytes: number,
    work: (turn: QueueTurn) => Promise<T>,
  ): Promise<Result<T, 'busy' | 'many'>> {
    const { key, thread, signal, waiting = (wait) => wait } = holder
    const { room = Infinity, each = Infinity } = this.#rules
    if (this.#countOfKey(key) >= each) this.#dropAbandoned()
    if (this.#countOfKey(key) >= each) return err('many')
    const ticket: Ticket = {
      bytes,
      key,
      thread,
      lastPolledAt: this.#now(),
      expiresAt: 0,
      wakeUp: Promise.withResolvers(),
      refused: false,
      slow: () => null,
      lose: () => {},
    }
    this.#join(ticket)
    this.#callNext()
    if (this.#count > room && !this.#admitted.has(ticket)) {
      this.#dropAbandoned()
      if (this.#count > room) this.#refuseLast(key)
      if (ticket.refused) return err('busy')
    }
    if (!this.#admitted.has(ticket) && !(await waiting(this.#wait(ticket, signal)))) return err('busy')
    const alive = (): boolean => {
      ticket.expiresAt = this.#now() + this.#rules.heldMs
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
      this.#releaseSlot(ticket)
      this.#callNext()
    }
  }

  /** Returns whether the ticket got a slot; false if it timed out, was refused, or nobody waits for it. */
  async #wait(ticket: Ticket, signal: AbortSignal | undefined): Promise<boolean> {
    const timeout = this.#now() + this.#rules.timeoutMs
    while (!this.#admitted.has(ticket)) {
      if (this.#now() >= timeout || signal?.aborted) {
        this.#leave(ticket)
        this.#callNext()
        return false
      }
      await this.#sleep(QUEUE_LOOK_MS, ticket.wakeUp.promise)
      if (ticket.refused) return false
      ticket.lastPolledAt = this.#now()
      // The ticket was dropped while the isolate was blocked, so it waits again.
      if (!this.#admitted.has(ticket)) this.#join(ticket)
      this.#callNext()
      if (!this.#admitted.has(ticket) && this.#admittedCount(ticket.key) === 0 && this.#preemptSlowest())
        this.#callNext()
    }
    return true
  }

  /** Takes the slot of work that is too slow, for a key that has none. Returns false if there is none. */
  #preemptSlowest(): boolean {
    const slow = [...this.#admitted].flatMap((ticket) => {
      const pace = ticket.slow()
      return pace === null ? [] : [{ ticket, pace, held: this.#admittedCount(ticket.key) }]
    })
    const [found] = slow.toSorted((a, b) => b.held - a.held || a.pace - b.pace)
    if (!found) return false
    this.#releaseSlot(found.ticket)
    found.ticket.lose()
    return true
  }

  /** Refuses a ticket of a full queue: the newest of the key with the most waiting (`key` on a tie). */
  #refuseLast(key: string): void {
    const ticketsByKey = new Map<string, Ticket[]>([[key, []]])
    for (const group of this.#waiting.values())
      ticketsByKey.set(group.key, [...(ticketsByKey.get(group.key) ?? []), ...group.tickets])
    const [most = []] = [...ticketsByKey.values()].toSorted((a, b) => b.length - a.length)
    const last = most.at(-1)
    if (!last) return
    this.#leave(last)
    last.refused = true
    last.wakeUp.resolve()
  }

  #admittedCount(key: string): number {
    let count = 0
    for (const admitted of this.#admitted) if (admitted.key === key) count += 1
    return count
  }

  #countOfKey(key: string): number {
    let count = this.#admittedCount(key)
    for (const group of this.#waiting.values()) if (group.key === key) count += group.tickets.size
    return count
  }

  #join(ticket: Ticket): void {
    const { key, thread } = ticket
    const name = groupName(ticket)
    const group = this.#waiting.get(name) ?? { key, thread, tickets: new Set() }
    if (group.tickets.has(ticket)) return
    this.#blockedUntil = 0
    this.#count += 1
    ticket.wakeUp = Promise.withResolvers()
    group.tickets.add(ticket)
    this.#waiting.set(name, group)
  }

  #leave(ticket: Ticket): void {
    const name = groupName(ticket)
    const group = this.#waiting.get(name)
    this.#blockedUntil = 0
    if (!group?.tickets.delete(ticket)) return
    this.#count -= 1
    if (group.tickets.size === 0) this.#waiting.delete(name)
  }

  #releaseSlot(ticket: Ticket): void {
    this.#admitted.delete(ticket)
    this.#blockedUntil = 0
  }

  #isAbandoned(ticket: Ticket): boolean {
    return this.#now() - ticket.lastPolledAt > QUEUE_SEEN_MS
  }

  /** Drops requests that were cut off, whether they are waiting or have a slot. */
  #dropAbandoned(): void {
    for (const admitted of this.#admitted) if (admitted.expiresAt <= this.#now()) this.#releaseSlot(admitted)
    for (const { tickets } of this.#waiting.values())
      for (const ticket of tickets) if (this.#isAbandoned(ticket)) this.#leave(ticket)
  }

  /** Admits the next tickets as long as there is space. */
  #callNext(): void {
    const now = this.#now()
    const { bytes, reserve } = this.#rules
    // This is checked first, because hundreds of waiters poll many times a second.
    if (now < this.#blockedUntil) return
    const held = new Map<string, number>()
    let all = 0
    const hold = (ticket: Ticket): void => {
      all += ticket.bytes
      for (const name of [ticket.key, groupName(ticket)]) held.set(name, (held.get(name) ?? 0) + ticket.bytes)
    }
    for (const admitted of this.#admitted)
      if (admitted.expiresAt <= now) this.#admitted.delete(admitted)
      else hold(admitted)
    for (;;) {
      const ticket = this.#next(held)
      if (!ticket) break
      if (this.#isAbandoned(ticket)) {
        this.#leave(ticket)
        continue
      }
      const heldByKey = held.get(ticket.key) ?? 0
      const reservedForOthers = reserve === 'held' ? heldByKey : heldByKey > 0 ? reserve : 0
      if (all > 0 && all + ticket.bytes + reservedForOthers > bytes) {
        this.#blockedUntil = Math.min(
          ticket.lastPolledAt + QUEUE_SEEN_MS,
          ...[...this.#admitted].map(({ expiresAt }) => expiresAt),
        )
        return
      }
      this.#leave(ticket)
      ticket.expiresAt = now + QUEUE_SEEN_MS
      this.#admitted.add(ticket)
      hold(ticket)
      this.#turn += 1
      for (const name of [ticket.key, groupName(ticket)]) this.#turns.set(name, this.#turn)
      ticket.wakeUp.resolve()
    }
    if (this.#admitted.size === 0) this.#turns.clear()
  }

  /** The next ticket: of the key and thread that hold the least; on a tie, of the one served longest ago. */
  #next(held: ReadonlyMap<string, number>): Ticket | undefined {
    const rank = ({ key, thread }: Group): readonly number[] =>
      [key, groupName({ key, thread })].flatMap((name) => [held.get(name) ?? 0, this.#turns.get(name) ?? 0])
    let first: Group | undefined
    let least: readonly number[] = []
    for (const group of this.#waiting.values()) {
      const heldByKey = rank(group)
      const at = heldByKey.findIndex((number, index) => number !== least[index])
      if (first && (heldByKey[at] ?? 0) >= (least[at] ?? 0)) continue
      first = group
      least = heldByKey
    }
    return first?.tickets.values().next().value
  }
}

function groupName({ key, thread }: Pick<Ticket, 'key' | 'thread'>): string {
  return `${key} ${thread}`
}
