// Limits the number of threads of a workspace and of each key. New threads are counted in memory from their
// admission until they are listed, so that concurrent requests cannot exceed the limits.

import type { Clock } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { THREAD_ADMISSION_MS } from './limits.ts'
import type { ThreadSettings } from '../settings/settings.ts'

interface Admission {
  readonly key: string
  /** The run that begins the thread; null if the thread is created without one. */
  readonly run: string | null
  /** When the admission expires (epoch milliseconds). */
  readonly until: number
}

export class ThreadAdmissions {
  readonly #now: Clock
  /** Admitted threads by ID, oldest first. */
  readonly #admitted = new Map<string, Admission>()

  constructor(now: Clock) {
    this.#now = now
  }

  /**
   * Counts a thread that is not in the list yet. Fails with `storage_full`. `sql` is null if no thread was ever
   * listed.
   */
  admit(
    sql: SqlStorage | null,
    { max_threads, max_key_threads }: Pick<ThreadSettings, 'max_threads' | 'max_key_threads'>,
    thread: string,
    key: string,
    run: string | null,
  ): Result<null> {
    const now = this.#now()
    if (!this.#admitted.has(thread)) {
      for (const [id, { until }] of this.#admitted) {
        if (until > now) break
        this.#admitted.delete(id)
      }
      const listed = listedThreads(sql, key)
      let admittedOfKey = 0
      for (const admission of this.#admitted.values()) if (admission.key === key) admittedOfKey += 1
      if (listed.ofKey + admittedOfKey >= max_key_threads)
        return limitReached(`This key has ${max_key_threads} threads, which is the limit for one key.`)
      if (listed.all + this.#admitted.size >= max_threads)
        return limitReached(`This workspace has ${max_threads} threads, which is its limit.`)
    }
    // The entry is moved to the end, because the entries are sorted by expiry.
    this.#admitted.delete(thread)
    this.#admitted.set(thread, { key, run, until: now + THREAD_ADMISSION_MS })
    return ok(null)
  }

  /** Called when the thread has been listed or deleted. */
  removeAdmission(thread: string): void {
    this.#admitted.delete(thread)
  }

  /** Called when the run that should have begun the thread was not created. */
  leave(thread: string, run: string): void {
    if (this.#admitted.get(thread)?.run === run) this.#admitted.delete(thread)
  }
}

function listedThreads(
  sql: SqlStorage | null,
  key: string,
): { readonly ofKey: number; readonly all: number } {
  if (!sql) return { ofKey: 0, all: 0 }
  return sql
    .exec<{ ofKey: number; all: number }>(
      `SELECT coalesce(sum(threads), 0) AS "all", coalesce(sum(CASE WHEN key = ? THEN threads END), 0) AS ofKey
       FROM key_threads`,
      key,
    )
    .one()
}

function limitReached(what: string): Result<null> {
  return fail(
    'storage_full',
    `${what} Delete threads with DELETE /v1/threads/{id}, or ask an admin to raise threads.max_threads or threads.max_key_threads.`,
  )
}
