// The Durable Object of one conversation: short public methods that call the parts in this folder. Only it
// writes the thread's event log.

import { DurableObject } from 'cloudflare:workers'
import type { Receipt } from '../agent/events.ts'
import type { Message } from '../agent/message.ts'
import type { Env } from '../env/env.ts'
import type { Caller } from '../lib/caller.ts'
import { logText } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { REPORT_RETRY_PAUSE_MS, WATCHDOG_INTERVAL_MS } from '../limits/runs.ts'
import type { Page, StartInput, StartedRun, ThreadApi, ThreadDetails } from './api.ts'
import { answerApproval } from './answer.ts'
import * as files from './files.ts'
import { checkpoint } from './rows/checkpoint.ts'
import { isMarkedDeleted, markDeleted, continueDeletion } from './deletion.ts'
import { openReader } from './events/open-reader.ts'
import { deleteOldEvents } from './events/retention.ts'
import { forkThread } from './fork/create-fork.ts'
import { unregisterBranch, registerBranch, forkHead, forkRows } from './fork/source.ts'
import { portsOf } from './ports.ts'
import type { ThreadPorts, ThreadParts } from './parts.ts'
import { threadDetails } from './report/info.ts'
import { repeatReply } from './replies/send-replies.ts'
import { messagesPage, receiptsPage } from './report/pages.ts'
import { rateRun } from './report/rate.ts'
import { receiptOf } from './report/receipt.ts'
import { replyOf } from './report/reply.ts'
import { emptyUntil } from './rows/empty-thread.ts'
import type { Run } from './rows/run.ts'
import { mayUse, ownerOf } from './rows/thread-row.ts'
import { ThreadHolder } from './holder.ts'
import { accept } from './start/accept-message.ts'
import { createEmpty } from './start/create-empty.ts'
import {
  cancelRun,
  wakeInBackground,
  renewAlarm,
  reportAndSetAlarm,
  stopActiveRun,
  resumeOrStart,
} from './start/scheduler.ts'
import { startFailed } from './start/start-failed.ts'

type Args<K extends keyof ThreadApi> = Parameters<ThreadApi[K]>
type Answer<K extends keyof ThreadApi> = ReturnType<ThreadApi[K]>

const NO_THREAD = fail('not_found', 'There is no such thread.')

export class Thread extends DurableObject<Env> implements ThreadApi {
  readonly #holder: ThreadHolder
  #purgeInProgress: Promise<void> | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#holder = new ThreadHolder(ctx, () => this.ports())
  }

  /** The platform's ports. Fault tests override this. */
  protected ports(): ThreadPorts {
    return portsOf(this.env)
  }

  /** Returns the thread if this caller may see it; otherwise fails with `not_found`. Also resumes a run that is due. */
  #visibleThread(caller: Caller): Result<ThreadParts> {
    const { thread } = this.#holder
    if (!thread || thread.closing || !mayUse(caller, thread.row.data)) return NO_THREAD
    wakeInBackground(thread)
    return ok(thread)
  }

  /** Returns the thread and one of its runs, if this caller may see them. */
  #visibleRun(caller: Caller, runId: string): Result<{ readonly thread: ThreadParts; readonly run: Run }> {
    const visible = this.#visibleThread(caller)
    if (!visible.ok) return visible
    const run = visible.value.runs.get(runId)
    return run
      ? ok({ thread: visible.value, run })
      : fail('not_found', `There is no run ${runId} in this thread.`)
  }

  /** Uses the thread if this caller may see it. */
  async #withVisible<T>(
    caller: Caller,
    use: (thread: ThreadParts) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>> {
    const visible = this.#visibleThread(caller)
    return visible.ok ? use(visible.value) : visible
  }

  async start(caller: Caller, input: StartInput): Promise<Result<StartedRun>> {
    return accept(this.#holder, caller, input)
  }

  async startFailed(...args: Parameters<ThreadApi['startFailed']>): Promise<Result<null>> {
    return startFailed(this.#holder, ...args)
  }

  async reply(caller: Caller, runId: string, waitMs: number): ReturnType<ThreadApi['reply']> {
    const visible = this.#visibleRun(caller, runId)
    return visible.ok ? replyOf(visible.value.thread, runId, waitMs) : visible
  }

  async info(caller: Caller): Promise<Result<ThreadDetails>> {
    return this.#withVisible(caller, (thread) => ok(threadDetails(thread)))
  }

  async patch(caller: Caller, change: Parameters<ThreadApi['patch']>[1]): Promise<Result<ThreadDetails>> {
    const visible = this.#visibleThread(caller)
    if (!visible.ok) return visible
    const { row, ports } = visible.value
    if (change.title !== undefined) row.setTitle(change.title, true)
    if (change.metadata !== undefined) row.setMetadata(change.metadata)
    row.touch(ports.now())
    this.ctx.waitUntil(reportAndSetAlarm(visible.value))
    return ok(threadDetails(visible.value))
  }

  async remove(caller: Caller): Promise<Result<null>> {
    return this.#withVisible(caller, (thread) => this.#remove(thread))
  }

  async removeUnused(before: number): Promise<Result<boolean>> {
    const { thread } = this.#holder
    if (!thread || thread.closing) return NO_THREAD
    if (thread.runs.isBusy || thread.row.data.updatedAt >= before) return ok(false)
    await this.#remove(thread)
    return ok(true)
  }

  async #remove(thread: ThreadParts): Promise<Result<null>> {
    thread.closing = true
    markDeleted(thread)
    void thread.alarm.setNoLaterThan(thread.ports.now() + REPORT_RETRY_PAUSE_MS)
    thread.readers.closeAll()
    thread.runEnds.notifyAll()
    await this.ctx.storage.sync()
    await checkpoint('deletion.marked', this.ctx)
    // The thread now counts as deleted. If the code below fails, the alarm completes the deletion.
    await stopActiveRun(thread)
    await this.#purge()
    return ok(null)
  }

  /** Continues a deletion, at most one at a time. Never rejects: the alarm tries again. */
  #purge(): Promise<void> {
    this.#purgeInProgress ??= (async () => {
      try {
        const retryAt = await continueDeletion(this.ctx, this.ports(), REPORT_RETRY_PAUSE_MS)
        if (retryAt !== null) await this.ctx.storage.setAlarm(retryAt)
        // Only unexpired idempotency keys may remain. A new thread may have been created here meanwhile.
        if (!this.#holder.hasDeletedRows && this.#holder.thread?.closing) this.#holder.clear()
      } catch (error) {
        console.warn(JSON.stringify({ at: 'thread.deletion', error: logText(error) }))
        await this.ctx.storage.setAlarm(this.ports().now() + REPORT_RETRY_PAUSE_MS)
      } finally {
        this.#purgeInProgress = null
      }
    })()
    return this.#purgeInProgress
  }

  async messages(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Message>>> {
    return this.#withVisible(caller, (thread) => messagesPage(thread, cursor, limit))
  }

  async receipts(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Receipt>>> {
    return this.#withVisible(caller, (thread) => receiptsPage(thread, cursor, limit))
  }

  async exportPage(...[caller, ...page]: Args<'exportPage'>): Answer<'exportPage'> {
    const { exportPage } = await import('./report/export-pages.ts')
    return this.#withVisible(caller, (thread) => exportPage(thread, ...page))
  }

  async backupRows(cursor: string | null): Answer<'backupRows'> {
    const { backupRows } = await import('./backup.ts')
    return backupRows(this.#holder, cursor)
  }

  async restoreRows(page: Args<'restoreRows'>[0]): Answer<'restoreRows'> {
    const { restoreThread } = await import('./backup.ts')
    return restoreThread(this.#holder, page)
  }

  async receipt(caller: Caller, runId: string): Promise<Result<Receipt>> {
    const visible = this.#visibleRun(caller, runId)
    return visible.ok ? ok(receiptOf(visible.value.thread, visible.value.run)) : visible
  }

  async events(...[caller, runId, after]: Parameters<ThreadApi['events']>): ReturnType<ThreadApi['events']> {
    const visible = runId === null ? this.#visibleThread(caller) : this.#visibleRun(caller, runId)
    if (!visible.ok) return visible
    return openReader('run' in visible.value ? visible.value.thread : visible.value, caller, runId, after)
  }

  async cancel(caller: Caller, runId: string): Promise<Result<Receipt>> {
    const visible = this.#visibleRun(caller, runId)
    if (!visible.ok) return visible
    await cancelRun(visible.value.thread, runId)
    return this.receipt(caller, runId)
  }

  async rate(...[caller, runId, rating]: Parameters<ThreadApi['rate']>): ReturnType<ThreadApi['rate']> {
    const visible = this.#visibleRun(caller, runId)
    if (!visible.ok) return visible
    rateRun(visible.value.thread, visible.value.run, rating, ownerOf(caller))
    await visible.value.thread.log.sync()
    this.ctx.waitUntil(reportAndSetAlarm(visible.value.thread))
    return this.receipt(caller, runId)
  }

  async repeatReply(caller: Caller, runId: string): Promise<Result<Receipt>> {
    const visible = this.#visibleRun(caller, runId)
    const repeated = visible.ok ? repeatReply(visible.value.thread, runId) : visible
    return repeated.ok ? this.receipt(caller, runId) : repeated
  }

  async fork(caller: Caller, input: Parameters<ThreadApi['fork']>[1]): ReturnType<ThreadApi['fork']> {
    return forkThread(this.#holder, caller, input, () => this.#purge())
  }

  async forkHead(caller: Caller, messageId: string): ReturnType<ThreadApi['forkHead']> {
    return this.#withVisible(caller, (thread) => forkHead(thread, messageId, caller))
  }

  async forkRows(...[caller, ...args]: Args<'forkRows'>): Answer<'forkRows'> {
    return this.#withVisible(caller, (thread) => ok(forkRows(thread, ...args)))
  }

  async registerBranch(...[caller, branch]: Args<'registerBranch'>): Answer<'registerBranch'> {
    return this.#withVisible(caller, (thread) => registerBranch(thread, caller, branch))
  }

  async unregisterBranch(threadId: string): Promise<Result<null>> {
    return unregisterBranch(this.#holder.thread, threadId)
  }

  async approve(...[caller, runId, ...args]: Args<'approve'>): Answer<'approve'> {
    const visible = this.#visibleRun(caller, runId)
    return visible.ok ? answerApproval(visible.value.thread, caller, runId, ...args) : visible
  }

  createEmpty(caller: Caller, threadId: string): ReturnType<ThreadApi['createEmpty']> {
    return createEmpty(this.#holder, caller, threadId)
  }

  async listFiles(...[caller, ...args]: Args<'listFiles'>): Answer<'listFiles'> {
    return this.#withVisible(caller, (thread) => files.listFiles(thread, ...args))
  }

  async fileContent(caller: Caller, path: string): ReturnType<ThreadApi['fileContent']> {
    return this.#withVisible(caller, (thread) => files.fileContent(thread, path))
  }

  async stageFile(...[caller, ...args]: Args<'stageFile'>): Answer<'stageFile'> {
    return this.#withVisible(caller, (thread) => files.stageFile(thread, ...args))
  }

  async filePartsStarted(caller: Caller, object: number, upload: string): Promise<Result<null>> {
    return this.#withVisible(caller, (thread) => files.filePartsStarted(thread, object, upload))
  }

  async putFiles(...[caller, puts]: Parameters<ThreadApi['putFiles']>): ReturnType<ThreadApi['putFiles']> {
    return this.#withVisible(caller, (thread) => files.putFiles(thread, puts))
  }

  async removeFile(caller: Caller, path: string, expect: string | null): Promise<Result<null>> {
    return this.#withVisible(caller, (thread) => files.removeFile(thread, path, expect))
  }

  override async alarm(): Promise<void> {
    const { thread, sql } = this.#holder
    if (!thread || thread.closing) {
      if (!sql || !isMarkedDeleted(sql)) return
      await this.ctx.storage.setAlarm(this.ports().now() + REPORT_RETRY_PAUSE_MS)
      // Rows that are marked as deleted may also belong to a fork in progress.
      if (this.#holder.forkInProgress) return
      if (thread) await stopActiveRun(thread)
      return this.#purge()
    }
    try {
      // This comes first, so that crashes in the code below never use up the platform's retries.
      if (thread.active) thread.runs.renewOpenCall(thread.active.runId, thread.ports.now())
      await renewAlarm(thread)
      await resumeOrStart(thread)
      await deleteOldEvents(thread)
      await files.sweepFiles(thread)
      const until = emptyUntil(thread)
      if (until !== null && until <= thread.ports.now()) await this.#remove(thread)
    } catch (error) {
      // The platform gives up after six attempts, so the alarm is set again here.
      console.error(JSON.stringify({ at: 'thread.alarm', error: logText(error) }))
      await thread.alarm.setNoLaterThan(thread.ports.now() + WATCHDOG_INTERVAL_MS)
    }
  }
}
