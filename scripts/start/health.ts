// Decides whether a server hangs, and whether restarting it is pointless. Pure.

import {
  HEALTH_BUSY_SHARE,
  HEALTH_BUSY_SILENCE_MS,
  HEALTH_IDLE_SILENCE_MS,
  HEALTH_LATE_MS,
  RESTART_BACKOFF_MAX_MS,
  RESTART_BACKOFF_MS,
  RESTART_DEADLINE_MS,
  SLOW_START_DEADLINE_MS,
  START_DEADLINE_MS,
  START_ENDS_MAX,
} from './limits.ts'

/** Times of a process since its start. */
export interface Times {
  /** Time for which it waited for a processor. */
  readonly starvedMs: number
  /** CPU time of all its threads. */
  readonly cpuMs: number
  /** Whether it is waiting for the disk at this moment. */
  readonly waitsForDisk: boolean
}

export interface Hang {
  /** How long the server was silent, without the time for which it waited for a processor. */
  readonly ms: number
  /** Whether it was still computing. */
  readonly isBusy: boolean
}

/**
 * Decides whether a server that does not respond is busy or hung. Does not count the time for which the server waited for
 * a processor, because a restart would make that shortage worse. A server that computes or waits for the disk may be silent
 * for long; a server that does nothing (because it is deadlocked or stopped) will not recover by itself.
 */
export class HangDetector {
  /** The last check since a response became due; null if no response is due. */
  #last: (Times & { readonly checkedMs: number }) | null = null
  #silentMs = 0
  #idleMs = 0

  /** Records that a request was sent, so that a response is due. */
  onRequest(nowMs: number, times: Times): void {
    this.#last ??= { checkedMs: nowMs, ...times }
  }

  onResponse(): void {
    this.#last = null
    this.#silentMs = 0
    this.#idleMs = 0
  }

  /** Checks the server. Returns the hang, or null if the server does not hang. */
  check(nowMs: number, times: Times): Hang | null {
    const previous = this.#last
    if (!previous) return null
    const now = (this.#last = { checkedMs: nowMs, ...times })
    // If a check is this late, this process slept, and perhaps the server did too.
    if (nowMs - previous.checkedMs > HEALTH_LATE_MS) return null
    const ms = nowMs - previous.checkedMs
    const ownMs = Math.min(ms, Math.max(0, ms - (now.starvedMs - previous.starvedMs)))
    const isBusy = now.waitsForDisk || now.cpuMs - previous.cpuMs > ownMs * HEALTH_BUSY_SHARE
    this.#silentMs += ownMs
    this.#idleMs = isBusy ? 0 : this.#idleMs + ownMs
    if (this.#idleMs >= HEALTH_IDLE_SILENCE_MS) return { ms: this.#silentMs, isBusy: false }
    return this.#silentMs >= HEALTH_BUSY_SILENCE_MS ? { ms: this.#silentMs, isBusy: true } : null
  }
}

/** Decides when to replace a server process that is not up yet. Only its silence counts, not the duration of its work. */
export class SilenceLimit {
  #onMessage: number

  /** All times are in milliseconds of the same clock. */
  constructor(now: number) {
    this.#onMessage = now
  }

  onMessage(now: number): void {
    this.#onMessage = now
  }

  /**
   * The duration of the silence if it is too long, otherwise null. A restart has less to do, so its limit is lower. The limit
   * doubles with each of the last `failures`, so that a slow machine completes a start at some time.
   */
  overdueMs(now: number, isRestart: boolean, failures: number): number | null {
    const ms = now - this.#onMessage
    const limit = (isRestart ? RESTART_DEADLINE_MS : START_DEADLINE_MS) * 2 ** failures
    return ms >= Math.min(limit, SLOW_START_DEADLINE_MS) ? ms : null
  }
}

/** How a process ended: killed by another process, by itself without a message, or by itself with a message. */
export type ServerEnd = 'killed' | 'ended' | 'failed'

/**
 * Decides how long to wait before the next start. A server that was up once, or that was killed, is always restarted. A
 * server that fails before its first response would fail again.
 */
export class Restarts {
  #failures = 0
  #endsByItself = 0
  #wasUp = false

  /** Number of ends since the last response. */
  get failures(): number {
    return this.#failures
  }

  onResponse(): void {
    this.#failures = 0
    this.#wasUp = true
  }

  /** Records an end. Returns how many milliseconds to wait before the next start, or null to give up. */
  onEnd(end: ServerEnd): number | null {
    if (end === 'ended') this.#endsByItself += 1
    if (!this.#wasUp && (end === 'failed' || this.#endsByItself >= START_ENDS_MAX)) return null
    this.#failures += 1
    if (this.#failures === 1) return 0
    return Math.min(RESTART_BACKOFF_MAX_MS, RESTART_BACKOFF_MS * 2 ** (this.#failures - 2))
  }
}
