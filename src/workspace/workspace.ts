// The Workspace object: a tenant's thread list, open runs, usage, and what admins manage. A chat request calls it in
// parallel with the catalog, and never waits for its disk writes.

import { isRestoring, NOT_COMPLETE } from '../backup/restoring.ts'
import { config, type Env } from '../env/env.ts'
import { DAY_MS, rfc3339, systemClock } from '../lib/clock.ts'
import { hasSchema } from '../lib/migrate.ts'
import { ok, type Result } from '../lib/result.ts'
import type { FileSpace, ForgottenRuns, Listeners, ThreadRecord, WaitingRecord, WorkspaceApi } from './api.ts'
import * as approvals from './approvals.ts'
import { BackedUpWorkspace } from './backed-up-workspace.ts'
import type { OwnPorts, RetentionState } from './background-work.ts'
import type { CountReport } from './count-api.ts'
import { addCounts } from './counters.ts'
import * as endpoints from './endpoints.ts'
import { setFileSpace } from './file-space.ts'
import { BACKGROUND_RETRY_MS } from './limits.ts'
import type { Answer, Args } from './managed-workspace.ts'
import { OpenRuns } from './open-runs.ts'
import { returnLeases } from './leases.ts'
import type { RunRecord, UsageQuery, UsageReport } from './run-api.ts'
import { rateRow } from './run-rows.ts'
import * as search from './search.ts'
import { ThreadAdmissions } from './thread-admissions.ts'
import * as threads from './threads.ts'
import { sweepOld } from './usage-days.ts'

export class Workspace extends BackedUpWorkspace implements WorkspaceApi {
  readonly #openRuns: OpenRuns
  readonly #threadAdmissions = new ThreadAdmissions(systemClock)
  /** What waits, by hook, schedule or endpoint. Not stored: while something waits, it is reported again. */
  readonly #waiting = new Map<string, NonNullable<CountReport['waiting']>>()
  readonly #retention: RetentionState = { position: ['', ''], dueAt: 0 }

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const rows = hasSchema(ctx.storage.sql) ? this.tables() : null
    this.isRestoring = rows !== null && isRestoring(rows)
    this.#openRuns = new OpenRuns(
      config(env).perKey,
      systemClock,
      (ms, work) => setTimeout(work, ms),
      rows,
      () => this.tables(),
    )
  }

  async admit(...[run, accepted, wish]: Args<'admit'>): Answer<'admit'> {
    if (this.isRestoring) return NOT_COMPLETE
    const closed = accepted ? null : this.usersInDeletion.checkKey(run.key)
    if (closed) return closed
    if (run.begins === true && !accepted) {
      const space = this.#admitThread(run.thread, run.key, run.run)
      if (!space.ok) return space
    }
    const admitted = this.#openRuns.admit(run, accepted)
    if (!admitted.ok || accepted || !wish) return admitted
    return this.grant(run, wish, { begins: true, queued: run.queued })
  }

  async admitThread(threadId: string, key: string): Promise<Result<null>> {
    if (this.isRestoring) return NOT_COMPLETE
    return this.usersInDeletion.checkKey(key) ?? this.#admitThread(threadId, key, null)
  }

  #admitThread(threadId: string, key: string, run: string | null): Result<null> {
    const sql = this.hasTables ? this.open() : null
    return this.#threadAdmissions.admit(sql, this.effectiveSettings.threads, threadId, key, run)
  }

  async resume(...[run, wish]: Args<'resume'>): Answer<'resume'> {
    const waitMs = this.#openRuns.resume(run)
    if (waitMs !== null || !wish) return ok(waitMs)
    const lease = await this.grant(run, wish, { begins: true, queued: false })
    if (!lease.ok) this.#openRuns.leave(run.thread, run.run)
    return lease
  }

  async leave(...[threadId, runId, spent]: Args<'leave'>): Answer<'leave'> {
    this.#threadAdmissions.leave(threadId, runId)
    this.#openRuns.leave(threadId, runId)
    if (this.hasTables && !this.isRestoring) returnLeases(this.open(), runId, spent ?? null)
    return ok(null)
  }

  async openThreads(): Promise<Result<readonly string[]>> {
    return ok(this.#openRuns.threads())
  }

  async record(thread: ThreadRecord, run: RunRecord | null): Promise<Result<Listeners>> {
    const sql = this.tables()
    const { threads: limits } = this.effectiveSettings
    const [now, keepAfter] = [systemClock(), this.#runsKeptAfter()]
    this.ctx.storage.transactionSync(() => threads.record(sql, thread, run, now, limits, keepAfter))
    this.#threadAdmissions.removeAdmission(thread.info.id)
    if (run) this.#openRuns.leave(thread.info.id, run.id)
    return ok(this.listeners())
  }

  /** Rows of runs that ended before this time are not kept. */
  #runsKeptAfter(): number {
    return systemClock() - this.effectiveSettings.retention.run_days * DAY_MS
  }

  async forget(threadId: string, runs: ForgottenRuns): Answer<'forget'> {
    const sql = this.open()
    const deletions = this.usersInDeletion.isEmpty ? null : await import('./user-deletion.ts')
    const [now, keepAfter] = [systemClock(), this.#runsKeptAfter()]
    this.ctx.storage.transactionSync(() => {
      deletions?.countForgotten(sql, threadId)
      threads.forget(sql, threadId, runs, now, keepAfter)
    })
    this.#threadAdmissions.removeAdmission(threadId)
    this.#openRuns.leaveAll(threadId)
    return ok(endpoints.listEndpoints(sql).map(({ id }) => id))
  }

  override async alarm(): Promise<void> {
    if (!this.hasTables || this.isRestoring) return
    const { storage } = this.ctx
    // In case the work is interrupted. The platform's own retries are limited.
    const retryAt = systemClock() + BACKGROUND_RETRY_MS
    await storage.setAlarm(retryAt)
    const { doBackgroundWork, backgroundPorts } = await import('./background-work.ts')
    const next = await doBackgroundWork(
      backgroundPorts(this.env, storage, this.#background()),
      this.#retention,
    )
    this.usersInDeletion.changed()
    // A change of the settings during the work may have set an earlier alarm.
    const setMeanwhile = await storage.getAlarm()
    if (setMeanwhile !== null && setMeanwhile < Math.min(next ?? retryAt, retryAt)) return
    await (next === null ? storage.deleteAlarm() : storage.setAlarm(next))
  }

  #background(): OwnPorts {
    return {
      forget: (threadId) => this.forget(threadId, { runs: [], ids: [] }),
      openThreads: () => this.#openRuns.threads(),
      threadDays: this.effectiveSettings.retention.thread_days,
      runsKeptAfter: this.#runsKeptAfter(),
    }
  }

  async setFileSpace(space: FileSpace): Promise<Result<null>> {
    const sql = this.open()
    const { files } = this.effectiveSettings
    return this.ctx.storage.transactionSync(() => setFileSpace(sql, space, files, systemClock()))
  }

  async listThreads(...args: Args<'listThreads'>): Answer<'listThreads'> {
    return threads.listThreads(this.open(), ...args)
  }

  async listTrees(...args: Args<'listTrees'>): Answer<'listTrees'> {
    const { listTrees } = await import('./trees.ts')
    return listTrees(this.open(), ...args)
  }

  async searchThreads(...args: Args<'searchThreads'>): Answer<'searchThreads'> {
    return search.searchThreads(this.open(), ...args)
  }

  async recordApprovals(waiting: WaitingRecord): Promise<Result<Listeners>> {
    const sql = this.tables()
    this.ctx.storage.transactionSync(() => approvals.recordApprovals(sql, waiting))
    return ok(this.listeners())
  }

  async listApprovals(owner: string | null, cursor: string | null, limit: number): Answer<'listApprovals'> {
    return approvals.listApprovals(this.open(), owner, cursor, limit, rfc3339(systemClock()))
  }

  async rateRun(...[runId, rating]: Args<'rateRun'>): Promise<Result<null>> {
    rateRow(this.open(), runId, rating)
    return ok(null)
  }

  async listRuns(...[filter, cursor, limit]: Args<'listRuns'>): Answer<'listRuns'> {
    const { listRuns } = await import('./run-list.ts')
    const [sql, keepAfter] = [this.open(), this.#runsKeptAfter()]
    this.ctx.storage.transactionSync(() => sweepOld(sql, keepAfter))
    return listRuns(sql, filter, keepAfter, cursor, limit)
  }

  async ownedThreads(...args: Args<'ownedThreads'>): Answer<'ownedThreads'> {
    const { ownedThreads } = await import('./user-data.ts')
    return ok(ownedThreads(this.open(), ...args))
  }

  async account(owner: string): Answer<'account'> {
    const { accountOf } = await import('./user-data.ts')
    return ok(accountOf(this.open(), owner, systemClock()))
  }

  async usage(query: UsageQuery): Promise<Result<UsageReport>> {
    const { checkSpan, usageReport } = await import('./usage-report.ts')
    const span = checkSpan(this.open(), query, systemClock())
    return span.ok ? ok(usageReport(this.open(), query)) : span
  }

  async count({ counts, waiting }: CountReport): Promise<Result<null>> {
    if (!this.hasTables || this.isRestoring) return ok(null)
    addCounts(this.open(), counts)
    if (waiting?.count === 0) this.#waiting.delete(waiting.source)
    else if (waiting) this.#waiting.set(waiting.source, waiting)
    return ok(null)
  }

  async metrics(): Promise<Result<string>> {
    const { metricsText } = await import('./metrics.ts')
    const work = { ...this.#openRuns.summary(), waiting: [...this.#waiting.values()] }
    return ok(metricsText(this.open(), work, systemClock()))
  }
}
