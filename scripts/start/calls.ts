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
interface ElapsedMs {
  readonly wallMs: number
  readonly runningMs: number
}

interface RunningCall extends AnnouncedCall {
  readonly started: ElapsedMs
  due: ElapsedMs
}

/** The time since `from`, at most the time since `began`. */
function elapsedSince(from: ElapsedMs, now: ElapsedMs, started: ElapsedMs = from): ElapsedMs {
  return {
    wallMs: now.wallMs - Math.max(from.wallMs, started.wallMs),
    runningMs: now.runningMs - Math.max(from.runningMs, started.runningMs),
  }
}

/**
 * Measures workerd's own time, without its waiting for a processor, so that calls are not late on a busy
 * machine, up to a limit. Every `at` is in milliseconds of one monotonic clock, every `starved` is workerd's
 * waiting time since its start (ms).
 */
export class AnnouncedCalls {
  readonly #underway = new Map<number, RunningCall>()
  readonly #stopped = new ExpiringCache<true>(STOPPED_CALLS_MAX, STOPPED_CALL_MS)
  #last: { readonly at: number; readonly starved: number } | null = null
  #now: ElapsedMs = { wallMs: 0, runningMs: 0 }
  /** When workerd began to owe a response; null if it owes none. */
  #silentSince: ElapsedMs | null = null

  get hasCalls(): boolean {
    return this.#underway.size > 0
  }

  /** Whether a call is running within its time; workerd may then compute without responding. */
  get hasCallInTime(): boolean {
    return [...this.#underway.values()].some((call) => !this.#isLate(call))
  }

  /** Records that a call is about to begin. Returns false if it was stopped before and must not begin. */
  announced(id: number, call: AnnouncedCall, nowMs: number, starvedMs: number): boolean {
    this.#advance(nowMs, starvedMs)
    this.#silentSince = null
    if (this.#stopped.get(call.key, nowMs)) return false
    const { wallMs, runningMs } = this.#now
    this.#underway.set(id, {
      ...call,
      started: this.#now,
      due: { wallMs: wallMs + call.ms, runningMs: runningMs + call.ms },
    })
    return true
  }

  /**
   * The call has ended. All calls share one thread: the silence before was its own, and does not count
   * against others.
   */
  over(id: number, nowMs: number, starvedMs: number): void {
    if (!this.#underway.delete(id)) return
    this.#advance(nowMs, starvedMs)
    for (const call of this.#underway.values()) {
      const silence = elapsedSince(this.#silentSince ?? this.#now, this.#now, call.started)
      call.due = {
        wallMs: call.due.wallMs + silence.wallMs,
        runningMs: call.due.runningMs + silence.runningMs,
      }
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
  forgetAll(): void {
    this.#underway.clear()
    this.#last = null
    this.#silentSince = null
  }

  /**
   * A check: the calls for which workerd must be ended; none while it answers. They count as stopped from now
   * on. A late call that blocks nobody is ignored and later forgotten: its end may not have been reported.
   */
  check(nowMs: number, starvedMs: number): readonly AnnouncedCall[] {
    this.#advance(nowMs, starvedMs)
    for (const [id, call] of this.#underway)
      if (this.#now.runningMs > call.due.runningMs + CALL_LATE_KEPT_MS) this.#underway.delete(id)
    if (!this.#silentSince || elapsedSince(this.#silentSince, this.#now).runningMs < CALL_SILENCE_MS)
      return []
    const late = [...this.#underway.values()].filter((call) => this.#isLate(call))
    for (const { key } of late) this.#stopped.set(key, true, nowMs)
    return late.map(({ key, ms }) => ({ key, ms }))
  }

  #isLate({ due }: RunningCall): boolean {
    return (
      this.#now.runningMs >= due.runningMs + CALL_GRACE_MS ||
      this.#now.wallMs >= due.wallMs + CALL_STARVED_MAX_MS
    )
  }

  #advance(nowMs: number, starvedMs: number): void {
    const last = this.#last ?? { at: nowMs, starved: starvedMs }
    this.#last = { at: nowMs, starved: starvedMs }
    // A longer gap means that nobody checked, perhaps because everything slept, and an answer may be unread.
    const ms = Math.min(nowMs - last.at, 2 * HEALTH_POLL_MS)
    const runningMs = Math.min(ms, Math.max(0, ms - (starvedMs - last.starved)))
    this.#now = { wallMs: this.#now.wallMs + ms, runningMs: this.#now.runningMs + runningMs }
  }
}
