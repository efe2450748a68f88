// The open runs of a workspace by the key that requested them: enforces the limits of each key, and lists the
// threads to wake after a restart. Decides from memory and writes its rows later, so that no response waits
// for the disk. If a crash loses changes, threads report them again; a run that is never reported again is
// removed when its lease expires.

import type { Clock } from '../lib/clock.ts'
import { logText } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { REPORT_RETRY_PAUSE_MS, TOO_MANY_RUNS_RETRY_S } from '../limits/runs.ts'
import {
  OPEN_RUNS_SWEEP_INTERVAL_MS,
  OPEN_RUNS_WRITE_DELAY_MS,
  SLOT_REQUEST_RETRY_MAX_MS,
  SLOT_REQUEST_RETRY_MS,
  SLOT_REQUEST_EXPIRY_MS,
} from './limits.ts'
import type { OpenRun } from './api.ts'

interface Limits {
  readonly running: number
  readonly queued: number
}

interface OpenRow extends Record<string, SqlStorageValue> {
  thread: string
  run: string
  key: string
  queued: number
  until: number
  since: number
}

/** An open run with the time since which it has been running or queued, in epoch milliseconds. */
type KnownRun = OpenRun & { readonly since: number }

function runKey(thread: string, run: string): string {
  return `${thread}/${run}`
}

export class OpenRuns {
  readonly #limits: Limits
  readonly #now: Clock
  /** Calls `work` once after a delay. */
  readonly #schedule: (ms: number, work: () => void) => void
  readonly #sql: () => SqlStorage
  readonly #runs = new Map<string, KnownRun>()
  readonly #byKey = new Map<string, Set<string>>()
  /** The accepted runs of each key that wait for a slot, in order, each with the time of its last request. */
  readonly #waitingForSlot = new Map<string, Map<string, number>>()
  /** Runs whose rows must be written or deleted. */
  readonly #unwritten = new Map<string, Pick<OpenRun, 'thread' | 'run'>>()
  /** Whether a write is scheduled. */
  #isWriteScheduled = false
  #sweptAt: number

  /**
   * `rows` contains the stored runs; it is null if there is no table yet. `sql` creates the table on first
   * use.
   */
  constructor(
    limits: Limits,
    now: Clock,
    schedule: (ms: number, work: () => void) => void,
    rows: SqlStorage | null,
    sql: () => SqlStorage,
  ) {
    this.#limits = limits
    this.#now = now
    this.#schedule = schedule
    this.#sql = sql
    this.#sweptAt = now()
    const storedRows =
      rows?.exec<OpenRow>('SELECT thread, run, key, queued, until, since FROM open_runs').toArray() ?? []
    for (const row of storedRows) this.#setRun({ ...row, queued: row.queued === 1 })
    this.#sweep()
  }

  /**
   * Counts a run for its key. `accepted` is true if the run is already open and only reported; then no limit
   * applies. Fails with `too_many_runs` if the key has the maximum number of running or queued runs.
   */
  admit(run: OpenRun, accepted: boolean): Result<null> {
    const id = runKey(run.thread, run.run)
    if (!accepted && !this.#runs.has(id)) {
      const refused = this.#refusal(run)
      if (refused) return refused
    }
    this.#setRun(run)
    this.#scheduleWrite(id, run)
    return ok(null)
  }

  /**
   * Requests a slot for an accepted run that waited for a person or in its thread's queue. Returns null if it
   * has one, otherwise the time until the next request in milliseconds. A key's runs get slots in the order
   * of their first requests, and before new runs.
   */
  resume(run: OpenRun): number | null {
    const id = runKey(run.thread, run.run)
    if (this.#runs.get(id)?.queued !== false) {
      const position = this.#joinQueue(run.key, id)
      if (this.#now() - this.#sweptAt >= SLOT_REQUEST_RETRY_MS) this.#sweep()
      const free = this.#limits.running - this.#count(run.key, false)
      if (position >= free) {
        const requestsToWait = 1 + Math.floor((position - Math.max(free, 0)) / this.#limits.running)
        return Math.min(requestsToWait * SLOT_REQUEST_RETRY_MS, SLOT_REQUEST_RETRY_MAX_MS)
      }
    }
    this.#stopWaiting(run.key, id)
    this.#setRun({ ...run, queued: false })
    this.#scheduleWrite(id, run)
    return null
  }

  /**
   * Adds a run to the queue, and returns the number of runs before it. Runs without a recent request are
   * removed from the queue.
   */
  #joinQueue(key: string, id: string): number {
    const now = this.#now()
    const waiting = this.#waitingForSlot.get(key) ?? new Map<string, number>()
    this.#waitingForSlot.set(key, waiting.set(id, now))
    for (const [waitingId, requestedAt] of waiting)
      if (now - requestedAt > SLOT_REQUEST_EXPIRY_MS) waiting.delete(waitingId)
    return [...waiting.keys()].indexOf(id)
  }

  #stopWaiting(key: string, id: string): void {
    const waiting = this.#waitingForSlot.get(key)
    waiting?.delete(id)
    if (waiting?.size === 0) this.#waitingForSlot.delete(key)
  }

  /** Removes a run that has ended, never began, or waits for a person. */
  leave(thread: string, run: string): void {
    const id = runKey(thread, run)
    for (const key of this.#waitingForSlot.keys()) this.#stopWaiting(key, id)
    const openRun = this.#runs.get(id)
    if (openRun) this.#removeRun(id, openRun)
  }

  /** Removes all runs of a deleted thread. */
  leaveAll(thread: string): void {
    for (const [key, waiting] of this.#waitingForSlot)
      for (const id of waiting.keys()) if (id.startsWith(runKey(thread, ''))) this.#stopWaiting(key, id)
    for (const [id, run] of this.#runs) if (run.thread === thread) this.#removeRun(id, run)
  }

  /** The threads with an open run, without duplicates. */
  threads(): readonly string[] {
    this.#sweep()
    return [...new Set(Array.from(this.#runs.values(), ({ thread }) => thread))]
  }

  /** The number of open runs, and since when the oldest of those in progress has been running; null if there is none. */
  summary(): { readonly running: number; readonly queued: number; readonly since: number | null } {
    this.#sweep()
    const running = [...this.#runs.values()].filter(({ queued }) => !queued)
    const since = running.reduce((first, run) => Math.min(first, run.since), Number.MAX_SAFE_INTEGER)
    const queued = this.#runs.size - running.length
    return { running: running.length, queued, since: running.length === 0 ? null : since }
  }

  #refusal({ key, queued }: OpenRun): ReturnType<typeof fail> | null {
    const max = queued ? this.#limits.queued : this.#limits.running
    if (this.#claimedSlots(key, queued) < max) return null
    this.#sweep()
    if (this.#claimedSlots(key, queued) < max) return null
    const what = queued ? `${max} queued messages` : `${max} runs in progress`
    return fail(
      'too_many_runs',
      `This key already has ${what}, which is the limit for one key. Try again when some of them have ended.`,
      { retryAfterS: TOO_MANY_RUNS_RETRY_S },
    )
  }

  /**
   * The number of runs that count towards the limit. Runs that wait for a slot have priority over new ones.
   */
  #claimedSlots(key: string, queued: boolean): number {
    return this.#count(key, queued) + (queued ? 0 : (this.#waitingForSlot.get(key)?.size ?? 0))
  }

  #count(key: string, queued: boolean): number {
    let count = 0
    for (const id of this.#byKey.get(key) ?? []) if (this.#runs.get(id)?.queued === queued) count += 1
    return count
  }

  #setRun(run: OpenRun & { readonly since?: number }): void {
    const id = runKey(run.thread, run.run)
    const known = this.#runs.get(id)
    const since = run.since ?? (known?.queued === run.queued ? known.since : this.#now())
    this.#runs.set(id, { ...run, since })
    const idsOfKey = this.#byKey.get(run.key) ?? new Set()
    this.#byKey.set(run.key, idsOfKey.add(id))
  }

  #removeRun(id: string, run: OpenRun): void {
    this.#runs.delete(id)
    const idsOfKey = this.#byKey.get(run.key)
    idsOfKey?.delete(id)
    if (idsOfKey?.size === 0) this.#byKey.delete(run.key)
    this.#scheduleWrite(id, run)
  }

  /** Removes runs whose lease has expired without a report. */
  #sweep(): void {
    this.#sweptAt = this.#now()
    for (const [id, run] of this.#runs) if (run.until <= this.#sweptAt) this.#removeRun(id, run)
    for (const [key, waiting] of this.#waitingForSlot)
      for (const [id, requestedAt] of waiting)
        if (this.#sweptAt - requestedAt > SLOT_REQUEST_EXPIRY_MS) this.#stopWaiting(key, id)
  }

  #scheduleWrite(id: string, { thread, run }: OpenRun): void {
    this.#unwritten.set(id, { thread, run })
    this.#writeAfter(OPEN_RUNS_WRITE_DELAY_MS)
  }

  #writeAfter(ms: number): void {
    if (this.#isWriteScheduled) return
    this.#isWriteScheduled = true
    this.#schedule(ms, () => {
      this.#isWriteScheduled = false
      this.#write()
    })
  }

  /**
   * Writes all changes since the last write in one turn of the event loop, and therefore in one transaction.
   */
  #write(): void {
    if (this.#now() - this.#sweptAt >= OPEN_RUNS_SWEEP_INTERVAL_MS) this.#sweep()
    const changed = [...this.#unwritten]
    this.#unwritten.clear()
    try {
      this.#writeRows(changed)
    } catch (error) {
      // All changes are written again later. That is safe: the maps have the current state, and repeating a write changes
      // nothing.
      for (const [id, run] of changed) this.#unwritten.set(id, run)
      this.#writeAfter(REPORT_RETRY_PAUSE_MS)
      console.error(JSON.stringify({ at: 'workspace.open_runs', error: logText(error) }))
    }
  }

  #writeRows(changed: readonly (readonly [id: string, Pick<OpenRun, 'thread' | 'run'>])[]): void {
    if (changed.length === 0) return
    const sql = this.#sql()
    for (const [id, { thread, run }] of changed) {
      const openRun = this.#runs.get(id)
      if (openRun)
        sql.exec(
          'INSERT OR REPLACE INTO open_runs (thread, run, key, queued, until, since) VALUES (?, ?, ?, ?, ?, ?)',
          thread,
          run,
          openRun.key,
          openRun.queued ? 1 : 0,
          openRun.until,
          openRun.since,
        )
      else sql.exec('DELETE FROM open_runs WHERE thread = ? AND run = ?', thread, run)
    }
  }
}
