// Records authentic deliveries: each once, in the block that finds out that it is new, before its response.

import { newId } from '../lib/ids.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { TOO_MANY_RUNS_RETRY_S } from '../limits/runs.ts'
import type { Allowance } from '../unattended/allowance.ts'
import type { AcceptedDelivery } from './api.ts'
import { keepMsOf, type DeliveryStarts } from './delivery-starts.ts'
import type { StoredHook } from './hook-rows.ts'
import type { JudgedDelivery } from './judge.ts'
import { keptHeaders } from './kept-headers.ts'
import { DELIVERY_REPEAT_WINDOW_MS, DELIVERY_RETENTION_MS, MISMATCH_ROWS_MAX } from './limits.ts'
import * as rows from './rows.ts'
import type { Verified } from './schemes/scheme.ts'

interface Received {
  /** Of the raw body. */
  readonly digest: string
  readonly headers: Readonly<Record<string, string>>
  readonly build: string
  /** Epoch milliseconds. */
  readonly now: number
}

export class DeliveryRecorder {
  readonly #ctx: DurableObjectState
  readonly #sql: SqlStorage
  readonly #starts: DeliveryStarts<StoredHook>
  readonly #allowance: Pick<Allowance, 'opensInS'>
  readonly #mostWaiting: () => number

  /** `mostWaiting`: the maximum number of deliveries whose runs have not begun. */
  constructor(
    ctx: DurableObjectState,
    starts: DeliveryStarts<StoredHook>,
    allowance: Pick<Allowance, 'opensInS'>,
    mostWaiting: () => number,
  ) {
    this.#ctx = ctx
    this.#sql = ctx.storage.sql
    this.#starts = starts
    this.#allowance = allowance
    this.#mostWaiting = mostWaiting
  }

  // Looks up and writes without a wait in between, so that only one of any number of concurrent copies is
  // recorded.
  async record(
    hook: StoredHook,
    judged: JudgedDelivery,
    received: Received,
  ): Promise<Result<AcceptedDelivery>> {
    const { digest, headers, build, now } = received
    const { id: sent, content, filtered, run } = judged
    const delivery = {
      id: newId('dl'),
      webhookId: sent?.value ?? null,
      digest,
      body: content,
      threadId: run?.threadId ?? null,
      runId: run && newId('run'),
      build,
      receivedAt: now,
    }
    const kept = keptHeaders(headers, hook.signature?.header ?? null)
    const log = { headers: JSON.stringify(kept), keeps: hook.keep_days > 0 }
    const original = this.#findSame(sent, digest, now)
    if (original && original.digest !== digest) return this.#refuseMismatch(original, delivery, log)
    const existing = original && this.#isLost(original) ? this.#replayOf(original) : original
    // Only its sender can repeat a dead delivery whose body is not kept.
    if (original && existing && run && this.#isLost(existing)) {
      const replay = { ...log, originalId: original.delivery_id }
      return this.enqueue(hook, { ...delivery, threadId: run.threadId }, replay)
    }
    if (existing) {
      // A repeated delivery suggests a crash, so waiting deliveries are tried now instead of at the next
      // alarm. A copy of a delivery that has started writes nothing.
      if (existing.state === 'recorded') this.#ctx.waitUntil(this.#starts.startDue())
      this.#starts.counts.count('repeated')
      const { delivery_id, thread_id, run_id } = existing
      return ok({ delivery_id, thread_id, run_id, created: false })
    }
    if (!run) {
      rows.insertDelivery(this.#sql, delivery, { ...log, state: 'filtered', problem: filtered })
      this.#starts.counts.count('filtered')
      await this.#starts.setAlarmBy(now + (log.keeps ? keepMsOf(hook) : DELIVERY_RETENTION_MS))
      return ok({ delivery_id: delivery.id, thread_id: null, run_id: null, created: true })
    }
    return this.enqueue(hook, { ...delivery, threadId: run.threadId }, log)
  }

  /** Records a delivery that starts a run. */
  async enqueue(
    { on_busy, keep_days }: StoredHook,
    delivery: rows.NewDelivery & { readonly threadId: string },
    log: Partial<rows.DeliveryLog>,
  ): Promise<Result<AcceptedDelivery>> {
    const most = this.#mostWaiting()
    if (rows.countWaiting(this.#sql) >= most) {
      this.#starts.counts.count('refused')
      return fail(
        'too_many_runs',
        `${most} deliveries of this hook are waiting, which is the limit. Send this delivery again later.`,
        { retryAfterS: TOO_MANY_RUNS_RETRY_S },
      )
    }
    const { opensInS } = this.#allowance
    if (opensInS !== null) {
      this.#starts.counts.count('refused')
      return fail(
        'quota_exceeded',
        'A cap that applies to this hook is reached. Send this delivery again later.',
        { retryAfterS: opensInS },
      )
    }
    const { id, threadId, runId, receivedAt } = delivery
    const promised = on_busy === 'enqueue'
    // A delivery behind another one of its thread starts after it, and needs neither an alarm nor a look at what is due.
    const isBehind = promised && rows.hasWaiting(this.#sql, threadId)
    this.#ctx.storage.transactionSync(() => {
      const { starting } = this.#starts
      const replaced = promised
        ? null
        : rows.supersede(this.#sql, threadId, starting, keep_days > 0, receivedAt)
      const startAt = replaced && { startAt: replaced.startAt }
      rows.insertDelivery(this.#sql, delivery, { ...log, promised, ...startAt })
      this.#starts.counts.count('superseded', replaced?.count ?? 0)
    })
    this.#starts.counts.count('recorded')
    if (!isBehind) {
      // The alarm is set in the same block, so that the delivery resumes after a crash before the run has started.
      await this.#starts.setAlarmSoon()
      this.#ctx.waitUntil(this.#starts.startDue())
    }
    return ok({ delivery_id: id, thread_id: threadId, run_id: promised ? runId : null, created: true })
  }

  /** Refuses another body under a known ID, and records it. */
  #refuseMismatch(
    existing: rows.FoundDelivery,
    delivery: rows.NewDelivery,
    log: Partial<rows.DeliveryLog>,
  ): Result<never> {
    const { delivery_id: originalId } = existing
    this.#starts.counts.count('refused')
    const isNew = rows.countMismatch(this.#sql, existing, delivery.digest, delivery.receivedAt)
    if (isNew && rows.countMismatchRows(this.#sql, originalId) < MISMATCH_ROWS_MAX) {
      const problem = `The same ID came before with another body, as ${originalId}.`
      const row = { ...delivery, threadId: null, runId: null }
      rows.insertDelivery(this.#sql, row, { ...log, state: 'mismatch', problem, originalId })
    }
    return fail(
      'delivery_mismatch',
      'This delivery ID was already used with a different body. Send a new ID for a new delivery.',
    )
  }

  /** Whether a delivery is dead and nobody can replay it. */
  #isLost(delivery: rows.FoundDelivery): boolean {
    return delivery.state === 'dead' && !rows.isKept(this.#sql, delivery)
  }

  /** The newest replay of a delivery, or itself. */
  #replayOf(original: rows.FoundDelivery): rows.FoundDelivery {
    return rows.findReplay(this.#sql, original) ?? original
  }

  /** The delivery that this one repeats, or whose ID it uses; null if it is new. */
  #findSame(id: Verified['id'], digest: string, now: number): ReturnType<typeof rows.findById> {
    if (id === null) return rows.findByDigest(this.#sql, digest, now - DELIVERY_REPEAT_WINDOW_MS)
    const known = rows.findById(this.#sql, id.value)
    if (known || id.signed) return known
    return rows.findByDigest(this.#sql, digest, now - DELIVERY_RETENTION_MS)
  }
}
