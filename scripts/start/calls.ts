// Tracks announced calls into isolates: decides which of them exceeded their time and block workerd, and which must not
// run again. Pure.

import { ExpiringCache } from '../../src/lib/expiring-cache.ts'
import {
  CALL_GRACE_MS,
  LATE_CALL_FORGET_MS,
  CALL_SILENCE_MS,
  CALL_STARVED_MAX_MS,
  HEALTH_POLL_MS,
  STOPPED_CALLS_MAX,
  STOPPED_CALL_MS,
} from './limits.ts'

export interface AnnouncedCall {
  /** Identifies the work, which is not tried again after it was stopped. */
  readonly key: string
  /** The time limit of the call, counted from the announcement. */
  readonly ms: number
}

/** Milliseconds that have passed in total, and without the time for which workerd waited for a processor. */
interface ElapsedMs {
  readonly wallMs: number
  readonly runningMs: number
}

interface RunningCall extends AnnouncedCall {
  readonly started: ElapsedMs
  due: ElapsedMs
}

/** The time since `from` or since `started`, whichever is later. */
function elapsedSince(from: ElapsedMs, now: ElapsedMs, started: ElapsedMs = from): ElapsedMs {
  return {
    wallMs: now.wallMs - Math.max(from.wallMs, started.wallMs),
    runningMs: now.runningMs - Math.max(from.runningMs, started.runningMs),
  }
}

/**
 * Does not count the time for which workerd waits for a processor, up to a limit, so that calls are not late on a busy
 * machine. Every `nowMs` is a time of the same monotonic clock, and every `starvedMs` is the time for which workerd has
 * waited for a processor since its start.
 */
export class AnnouncedCalls {
  readonly #running = new Map<number, RunningCall>()
  readonly #stopped = new ExpiringCache<true>(STOPPED_CALLS_MAX, STOPPED_CALL_MS)
  #last: { readonly checkedMs: number; readonly starvedMs: number } | null = null
  #now: ElapsedMs = { wallMs: 0, runningMs: 0 }
  /** When the oldest outstanding response became due; null if none is due. */
  #silentSince: ElapsedMs | null = null

  get hasCalls(): boolean {
    return this.#running.size > 0
  }

  /** Whether a running call is within its time. workerd may then compute without responding. */
  get hasCallInTime(): boolean {
    return [...this.#running.values()].some((call) => !this.#isLate(call))
  }

  /** Records that a call is about to start. Returns false if it was stopped before and must not start. */
  onStart(id: number, call: AnnouncedCall, nowMs: number, starvedMs: number): boolean {
    this.#advance(nowMs, starvedMs)
    this.#silentSince = null
    if (this.#stopped.get(call.key, nowMs)) return false
    const { wallMs, runningMs } = this.#now
    this.#running.set(id, {
      ...call,
      started: this.#now,
      due: { wallMs: wallMs + call.ms, runningMs: runningMs + call.ms },
    })
    return true
  }

  /**
   * Records that a call has ended. All calls share one thread, so this call caused the silence before its end, which
   * does not count against the others.
   */
  onEnd(id: number, nowMs: number, starvedMs: number): void {
    if (!this.#running.delete(id)) return
    this.#advance(nowMs, starvedMs)
    for (const call of this.#running.values()) {
      const silence = elapsedSince(this.#silentSince ?? this.#now, this.#now, call.started)
      call.due = {
        wallMs: call.due.wallMs + silence.wallMs,
        runningMs: call.due.runningMs + silence.runningMs,
      }
    }
    this.#silentSince = null
  }

  /** Records that a response is due from now on, unless one was due already. */
  expectResponse(): void {
    this.#silentSince ??= this.#now
  }

  onResponse(): void {
    this.#silentSince = null
  }

  /** Forgets all calls, because workerd was replaced. */
  forgetAll(): void {
    this.#running.clear()
    this.#last = null
    this.#silentSince = null
  }

  /**
   * Returns the late calls for which workerd must be ended, and records them as stopped. There are none while workerd
   * responds: a late call that blocks nobody is ignored and later forgotten, because its end may not have been reported.
   */
  check(nowMs: number, starvedMs: number): readonly AnnouncedCall[] {
    this.#advance(nowMs, starvedMs)
    for (const [id, call] of this.#running)
      if (this.#now.runningMs > call.due.runningMs + LATE_CALL_FORGET_MS) this.#running.delete(id)
    if (!this.#silentSince || elapsedSince(this.#silentSince, this.#now).runningMs < CALL_SILENCE_MS)
      return []
    const late = [...this.#running.values()].filter((call) => this.#isLate(call))
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
    const previous = this.#last ?? { checkedMs: nowMs, starvedMs }
    this.#last = { checkedMs: nowMs, starvedMs }
    // A longer gap means that nobody checked, perhaps because the machine slept, and a response may be unread.
    const ms = Math.min(nowMs - previous.checkedMs, 2 * HEALTH_POLL_MS)
    const runningMs = Math.min(ms, Math.max(0, ms - (starvedMs - previous.starvedMs)))
    this.#now = { wallMs: this.#now.wallMs + ms, runningMs: this.#now.runningMs + runningMs }
  }
}
