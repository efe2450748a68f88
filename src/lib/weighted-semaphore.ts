// A weighted semaphore for an isolate's memory, or for the number of operations that run in it. The next slot goes to
// the waiting key that holds the least. A request that was cut off settles no promises and releases nothing, so waiting
// requests poll, and slots expire.

import {
  QUEUE_ABANDONED_AFTER_MS,
  QUEUE_POLLING_MANY,
  QUEUE_POLL_INTERVAL_MAX_MS,
  QUEUE_POLL_INTERVAL_MS,
} from '../limits/skills.ts'
import type { Clock } from './clock.ts'
import { pause } from './pause.ts'
import { err, ok, type Result } from './result.ts'
import type { Requester, SemaphoreRules, Sleep, Slot } from './semaphore-slot.ts'
import { withTimeout } from './with-timeout.ts'

/** A request that waits for a slot or holds one. */
interface Ticket {
  /** The size of the requested slot, in the unit of the capacity. */
  readonly size: number
  readonly key: string
  readonly thread: string
  /** When the requester last polled. */
  lastPolledAt: number
  /** When the slot expires, if the ticket has one. */
  expiresAt: number
  wakeUp: PromiseWithResolvers<void>
  /** True if the queue was full and this ticket's key had the most waiting tickets. */
  refused: boolean
  slowPace: () => number | null
  onPreempted: () => void
}

/** The waiting tickets of one thread, in order. */
interface Group {
  readonly key: string
  readonly thread: string
  readonly tickets: Set<Ticket>
}

/**
 * A sleep that ignores wake-ups, for waits across objects of one isolate: a promise that another object settles may
 * never resolve here.
 */
export function pollEvery(ms: number): () => Promise<void> {
  return () => pause(ms)
}

export class WeightedSemaphore {
  readonly #rules: SemaphoreRules
  readonly #now: Clock
  readonly #sleep: Sleep
  /** Groups of waiting tickets, by key and thread. */
  readonly #waitingGroups = new Map<string, Group>()
  #waitingCount = 0
  readonly #admitted = new Set<Ticket>()
  /** For each key, and each thread of a key: the sequence number of the last ticket that was admitted. */
  readonly #lastAdmissions = new Map<string, number>()
  #admissionNumber = 0
  /** Until this time no waiting ticket can be admitted, unless the queue changes. */
  #blockedUntil = 0

  constructor(rules: SemaphoreRules, now: Clock, sleep: Sleep = withTimeout) {
    this.#rules = rules
    this.#now = now
    this.#sleep = sleep
  }

  /**
   * Runs `work` once a slot of this size is free. Fails with `key_limit` if this key has too many requests, and with
   * `busy` if too many are waiting, on a timeout or after an abort.
   */
  async run<T>(
    requester: Requester,
    size: number,
    work: (slot: Slot) => Promise<T>,
  ): Promise<Result<T, 'busy' | 'key_limit'>> {
    const { key, thread, signal, trackWait = (wait) => wait } = requester
    const { waitingMax = Infinity, requestsMaxPerKey = Infinity } = this.#rules
    if (this.#ticketCount(key) >= requestsMaxPerKey) this.#dropAbandoned()
    if (this.#ticketCount(key) >= requestsMaxPerKey) return err('key_limit')
    const ticket: Ticket = {
      size,
      key,
      thread,
      lastPolledAt: this.#now(),
      expiresAt: 0,
      wakeUp: Promise.withResolvers(),
      refused: false,
      slowPace: () => null,
      onPreempted: () => {},
    }
    this.#join(ticket)
    this.#admitNext()
    if (this.#waitingCount > waitingMax && !this.#admitted.has(ticket)) {
      this.#dropAbandoned()
      if (this.#waitingCount > waitingMax) this.#refuseNewest(key)
      if (ticket.refused) return err('busy')
    }
    if (!this.#admitted.has(ticket) && !(await trackWait(this.#wait(ticket, signal)))) return err('busy')
    const reportProgress = (): boolean => {
      ticket.expiresAt = this.#now() + this.#rules.slotIdleMaxMs
      return ![...this.#waitingGroups.values()].some((group) => group.key !== key)
    }
    const allowPreemption: Slot['allowPreemption'] = (slowPace, onPreempted) => {
      ticket.slowPace = slowPace
      ticket.onPreempted = onPreempted
    }
    reportProgress()
    try {
      return ok(await work({ reportProgress, allowPreemption }))
    } finally {
      this.#releaseSlot(ticket)
      this.#admitNext()
    }
  }

  /** Returns true once the ticket has a slot, or false if it timed out, was refused or was aborted. */
  async #wait(ticket: Ticket, signal: AbortSignal | undefined): Promise<boolean> {
    const deadline = this.#now() + this.#rules.waitMaxMs
    while (!this.#admitted.has(ticket)) {
      if (this.#now() >= deadline || signal?.aborted) {
        this.#leave(ticket)
        this.#admitNext()
        return false
      }
      await this.#sleep(pollIntervalMs(this.#waitingCount), ticket.wakeUp.promise)
      if (ticket.refused) return false
      ticket.lastPolledAt = this.#now()
      // The ticket was dropped while the isolate was blocked, so it waits again.
      if (!this.#admitted.has(ticket)) this.#join(ticket)
      this.#admitNext()
      if (!this.#admitted.has(ticket) && this.#admittedCount(ticket.key) === 0 && this.#preemptSlowest())
        this.#admitNext()
    }
    return true
  }

  /** Takes a slot from work that is too slow. Returns false if no work is too slow. */
  #preemptSlowest(): boolean {
    const candidates = [...this.#admitted].flatMap((ticket) => {
      const pace = ticket.slowPace()
      return pace === null ? [] : [{ ticket, pace, slotsOfKey: this.#admittedCount(ticket.key) }]
    })
    const [slowest] = candidates.toSorted((a, b) => b.slotsOfKey - a.slotsOfKey || a.pace - b.pace)
    if (!slowest) return false
    this.#releaseSlot(slowest.ticket)
    slowest.ticket.onPreempted()
    return true
  }

  /** Refuses a ticket of a full queue: the newest ticket of the key with the most waiting tickets (`newestKey` on a tie). */
  #refuseNewest(newestKey: string): void {
    const ticketsByKey = new Map<string, Ticket[]>([[newestKey, []]])
    for (const group of this.#waitingGroups.values())
      ticketsByKey.set(group.key, [...(ticketsByKey.get(group.key) ?? []), ...group.tickets])
    const [ticketsOfKey = []] = [...ticketsByKey.values()].toSorted((a, b) => b.length - a.length)
    const newest = ticketsOfKey.at(-1)
    if (!newest) return
    this.#leave(newest)
    newest.refused = true
    newest.wakeUp.resolve()
  }

  #admittedCount(key: string): number {
    let count = 0
    for (const admitted of this.#admitted) if (admitted.key === key) count += 1
    return count
  }

  #ticketCount(key: string): number {
    let count = this.#admittedCount(key)
    for (const group of this.#waitingGroups.values()) if (group.key === key) count += group.tickets.size
    return count
  }

  #join(ticket: Ticket): void {
    const { key, thread } = ticket
    const name = groupName(ticket)
    const group = this.#waitingGroups.get(name) ?? { key, thread, tickets: new Set() }
    if (group.tickets.has(ticket)) return
    this.#blockedUntil = 0
    this.#waitingCount += 1
    ticket.wakeUp = Promise.withResolvers()
    group.tickets.add(ticket)
    this.#waitingGroups.set(name, group)
  }

  #leave(ticket: Ticket): void {
    const name = groupName(ticket)
    const group = this.#waitingGroups.get(name)
    this.#blockedUntil = 0
    if (!group?.tickets.delete(ticket)) return
    this.#waitingCount -= 1
    if (group.tickets.size === 0) this.#waitingGroups.delete(name)
  }

  #releaseSlot(ticket: Ticket): void {
    this.#admitted.delete(ticket)
    this.#blockedUntil = 0
  }

  #isAbandoned(ticket: Ticket): boolean {
    return this.#now() - ticket.lastPolledAt > QUEUE_ABANDONED_AFTER_MS
  }

  /** Drops requests that were cut off, whether they are waiting or have a slot. */
  #dropAbandoned(): void {
    for (const admitted of this.#admitted) if (admitted.expiresAt <= this.#now()) this.#releaseSlot(admitted)
    for (const { tickets } of this.#waitingGroups.values())
      for (const ticket of tickets) if (this.#isAbandoned(ticket)) this.#leave(ticket)
  }

  /** Admits the next tickets as long as there is space. */
  #admitNext(): void {
    const now = this.#now()
    const { capacity, reservedForOthers } = this.#rules
    // This is checked first, because hundreds of waiting tickets poll several times a second.
    if (now < this.#blockedUntil) return
    const heldSizes = new Map<string, number>()
    let totalHeld = 0
    const addHeld = (ticket: Ticket): void => {
      totalHeld += ticket.size
      for (const name of [ticket.key, groupName(ticket)])
        heldSizes.set(name, (heldSizes.get(name) ?? 0) + ticket.size)
    }
    for (const admitted of this.#admitted)
      if (admitted.expiresAt <= now) this.#admitted.delete(admitted)
      else addHeld(admitted)
    for (;;) {
      const ticket = this.#nextTicket(heldSizes)
      if (!ticket) break
      if (this.#isAbandoned(ticket)) {
        this.#leave(ticket)
        continue
      }
      const heldByKey = heldSizes.get(ticket.key) ?? 0
      const reserved =
        reservedForOthers === 'same_as_held' ? heldByKey : heldByKey > 0 ? reservedForOthers : 0
      if (totalHeld > 0 && totalHeld + ticket.size + reserved > capacity) {
        this.#blockedUntil = Math.min(
          ticket.lastPolledAt + QUEUE_ABANDONED_AFTER_MS,
          ...[...this.#admitted].map(({ expiresAt }) => expiresAt),
        )
        return
      }
      this.#leave(ticket)
      ticket.expiresAt = now + QUEUE_ABANDONED_AFTER_MS
      this.#admitted.add(ticket)
      addHeld(ticket)
      this.#admissionNumber += 1
      for (const name of [ticket.key, groupName(ticket)])
        this.#lastAdmissions.set(name, this.#admissionNumber)
      ticket.wakeUp.resolve()
    }
    if (this.#admitted.size === 0) this.#lastAdmissions.clear()
  }

  /**
   * Returns the next ticket. Compares keys and then their threads: the one that holds the least comes first, and on a
   * tie the one that was served longest ago.
   */
  #nextTicket(heldSizes: ReadonlyMap<string, number>): Ticket | undefined {
    const rankOf = ({ key, thread }: Group): readonly number[] =>
      [key, groupName({ key, thread })].flatMap((name) => [
        heldSizes.get(name) ?? 0,
        this.#lastAdmissions.get(name) ?? 0,
      ])
    let nextGroup: Group | undefined
    let lowestRank: readonly number[] = []
    for (const group of this.#waitingGroups.values()) {
      const rank = rankOf(group)
      const firstDifference = rank.findIndex((number, index) => number !== lowestRank[index])
      if (nextGroup && (rank[firstDifference] ?? 0) >= (lowestRank[firstDifference] ?? 0)) continue
      nextGroup = group
      lowestRank = rank
    }
    return nextGroup?.tickets.values().next().value
  }
}

/** The more requests wait, the less often each polls, so that a thousand of them do not keep the isolate busy. */
function pollIntervalMs(waiting: number): number {
  return Math.min(
    QUEUE_POLL_INTERVAL_MS * Math.max(1, Math.ceil(waiting / QUEUE_POLLING_MANY)),
    QUEUE_POLL_INTERVAL_MAX_MS,
  )
}

function groupName({ key, thread }: Pick<Ticket, 'key' | 'thread'>): string {
  return `${key} ${thread}`
}
