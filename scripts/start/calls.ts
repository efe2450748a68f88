// Which announced calls into isolates ran past their time and hold up workerd, and which are not tried again. Pure:
// findings come in, decisions go out.

import { Recent } from '../../src/lib/recent.ts'
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
  /** Names the work: the same is not tried again once it was stopped. */
  readonly key: string
  /** How long it may take, from its announcement on. */
  readonly ms: number
}

/** Milliseconds that somebody looked on, and those of them in which workerd did not wait for a processor that others hold. */
interface Moment {
  readonly seen: number
  readonly own: number
}

interface Underway extends AnnouncedCall {
  readonly began: Moment
  due: Moment
}

/** How long since; each no longer than since `began`. */
function since(from: Moment, now: Moment, began: Moment = from): Moment {
  return {
    seen: now.seen - Math.max(from.seen, began.seen),
    own: now.own - Math.max(from.own, began.own),
  }
}

/**
 * Time is workerd's own, without its waiting for a processor: what is slow on a busy machine is not late, up to a
 * bound. Every `at` is in milliseconds of one steady clock, every `starved` what workerd waited since it began (ms).
 */
export class AnnouncedCalls {
  readonly #underway = new Map<number, Underway>()
  readonly #stopped = new Recent<true>(STOPPED_CALLS_MAX, STOPPED_CALL_MS)
  #last: { readonly at: number; readonly starved: number } | null = null
  #now: Moment = { seen: 0, own: 0 }
  /** Since when it owes an answer; null: it does not. */
  #asked: Moment | null = null

  get any(): boolean {
    return this.#underway.size > 0
  }

  /** One is under way and within its time: until then workerd may compute without a word. */
  get promised(): boolean {
    return [...this.#underway.values()].some((call) => !this.#isLate(call))
  }

  /** False: one of this name was stopped before, and this one is not to begin. */
  announced(id: number, call: AnnouncedCall, at: number, starved: number): boolean {
    this.#advance(at, starved)
    this.#asked = null
    if (this.#stopped.get(call.key, at)) return false
    const { seen, own } = this.#now
    this.#underway.set(id, { ...call, began: this.#now, due: { seen: seen + call.ms, own: own + call.ms } })
    return true
  }

  /** It came to its end. All have one thread: the silence before was its own, and is not charged to the others. */
  over(id: number, at: number, starved: number): void {
    if (!this.#underway.delete(id)) return
    this.#advance(at, starved)
    for (const call of this.#underway.values()) {
      const held = since(this.#asked ?? this.#now, this.#now, call.began)
      call.due = { seen: call.due.seen + held.seen, own: call.due.own + held.own }
    }
    this.#asked = null
  }

  /** A sign of life is owed from now on, unless one was owed already. */
  asked(): void {
    this.#asked ??= this.#now
  }

  answered(): void {
    this.#asked = null
  }

  /** workerd is another one: what the one before had under way is no more. */
  gone(): void {
    this.#underway.clear()
    this.#last = null
    this.#asked = null
  }

  /**
   * A look: the calls for which workerd has to be ended, none while it answers. They count as stopped from now on. One
   * that is late and holds nobody up is left alone, and forgotten after a while: its end may never have been told.
   */
  look(at: number, starved: number): readonly AnnouncedCall[] {
    this.#advance(at, starved)
    for (const [id, call] of this.#underway)
      if (this.#now.own > call.due.own + CALL_LATE_KEPT_MS) this.#underway.delete(id)
    if (!this.#asked || since(this.#asked, this.#now).own < CALL_SILENCE_MS) return []
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
    // More than this nobody looked, perhaps everything slept, and an answer may lie unread.
    const ms = Math.min(at - last.at, 2 * HEALTH_POLL_MS)
    const own = Math.min(ms, Math.max(0, ms - (starved - last.starved)))
    this.#now = { seen: this.#now.seen + ms, own: this.#now.own + own }
  }
}
