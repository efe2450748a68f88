// Tracks announced calls into isolates: which ones exceeded their time and block workerd, and which must not
// be tried again. Pure.

import { ExpiringCache } from '../../src/lib/expiring-cache.ts'
import {
  CALL_GRACE_MS,
  CALL_LATE_KEPT_MS,
  CALL_SILENCE_MS,
  CALL_STARVED_MAX_MS,
  HEALTH_POLL_MS,
  STOPPED_CALLS_MAX,
  STOPPED_CALL_MS,
} from './limits.ts'

export interface AnnouncedCall {
  /** Identifies the work: it is not tried again once it was stopped. */
  readonly key: string
  /** Its time limit, from the announcement on. */
  readonly ms: number
}

/** Milliseconds that passed, and those of them in which workerd did not wait for a processor. */
interface Moment {
  readonly seen: number
  readonly own: number
}

interface Underway extends AnnouncedCall {
  readonly began: Moment
  due: Moment
}

/** The time since `from`, at most the time since `began`. */
function since(from: Moment, now: Moment, began: Moment = from): Moment {
  return {
    seen: now.seen - Math.max(from.seen, began.seen),
    own: now.own - Math.max(from.own, began.own),
  }
}

/**
 * Measures workerd's own time, without its waiting for a processor, so that calls are not late on a busy
 * machine, up to a limit. Every `at` is in milliseconds of one monotonic clock, every `starved` is workerd's
 * waiting time since its start (ms).
 */
export class AnnouncedCalls {
  readonly #underway = new Map<number, Underway>()
  readonly #stopped = new ExpiringCache<true>(STOPPED_CALLS_MAX, STOPPED_CALL_MS)
  #last: { readonly at: number; readonly starved: number } | null = null
  #now: Moment = { seen: 0, own: 0 }
  /** When workerd began to owe a response; null if it owes none. */
  #silentSince: Moment | null = null

  get any(): boolean {
    return this.#underway.size > 0
  }

  /** Whether a call is running within its time; workerd may then compute without responding. */
  get promised(): boolean {
    return [...this.#underway.values()].some((call) => !this.#isLate(call))
  }

  /** Records that a call is about to begin. Returns false if it was stopped before and must not begin. */
  announced(id: number, call: AnnouncedCall, at: number, starved: number): boolean {
    this.#advance(at, starved)
    this.#silentSince = null
    if (this.#stopped.get(call.key, at)) return false
    const { seen, own } = this.#now
    this.#underway.set(id, { ...call, began: this.#now, due: { seen: seen + call.ms, own: own + call.ms } })
    return true
  }

  /**
   * The call has ended. All calls share one thread: the silence before was its own, and does not count
   * against others.
   */
  over(id: number, at: number, starved: number): void {
    if (!this.#underway.delete(id)) return
    this.#advance(at, starved)
    for (const call of this.#underway.values()) {
      const held = since(this.#silentSince ?? this.#now, this.#now, call.began)
      call.due = { seen: call.due.seen + held.seen, own: call.due.own + held.own }
    }
    this.#silentSince = null
  }

  /** From now on a response is due, unless one was due already. */
  awaitAnswer(): void {
    this.#silentSince ??= this.#now
  }

  answered(): void {
    this.#silentSince = null
  }

  /** Forgets all calls, because workerd was replaced. */
  gone(): void {
    this.#underway.clear()
    this.#last = null
    this.#silentSince = null
  }

  /**
   * A check: the calls for which workerd must be ended; none while it answers. They count as stopped from now
   * on. A late call that blocks nobody is ignored and later forgotten: its end may not have been reported.
   */
  look(at: number, starved: number): readonly AnnouncedCall[] {
    this.#advance(at, starved)
    for (const [id, call] of this.#underway)
      if (this.#now.own > call.due.own + CALL_LATE_KEPT_MS) this.#underway.delete(id)
    if (!this.#silentSince || since(this.#silentSince, this.#now).own < CALL_SILENCE_MS) return []
    const late = [...this.#underway.values()].filter((call) => this.#isLate(call))
    for (const { key } of late) this.#stopped.set(key, true, at)
    return late.map(({ key, ms }) => ({ key, ms }))
  }

  #isLate({ due }: Underway): boolean {
    return this.#now.own >= due.own + CALL_GRACE_MS || this.#now.seen >= due.seen + CALL_STARVED_MAX_MS
  }

  #advance(at: number, starved: number): void {
    const last = this.#last ?? { at, starved }
    this.#last = { at, starved }
    // A longer gap means that nobody checked, perhaps because everything slept, and an answer may be unread.
    const ms = Math.min(at - last.at, 2 * HEALTH_POLL_MS)
    const own = Math.min(ms, Math.max(0, ms - (starved - last.starved)))
    this.#now = { seen: this.#now.seen + ms, own: this.#now.own + own }
  }
}
