// One conversation: the Durable Object. Short public methods over the parts of this folder; the only writer of its log.

import { DurableObject } from 'cloudflare:workers'
import type { Receipt } from '../agent/events.ts'
import { textOf, type Message } from '../agent/message.ts'
import type { Env } from '../env.ts'
import type { Caller } from '../lib/caller.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { redact } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { TELL_RETRY_MS, WATCHDOG_MS } from '../limits.ts'
import { Alarm } from './drive/alarm.ts'
import { accept, type Home } from './start/accept.ts'
import type { ChatReply, Page, StartInput, Started, ThreadApi, ThreadInfo } from './api.ts'
import { checkpoint } from './checkpoint.ts'
import type { Core, Outside } from './core.ts'
import { bury, isGoing, isMarked, mark, unmark } from './deletion.ts'
import { cancelRun, driveRun, kick, settle, silence, wake } from './drive/scheduler.ts'
import { threadInfo } from './report/info.ts'
import { Journal } from './rows/journal.ts'
import { lastEvent } from './events/event-rows.ts'
import { EventLog } from './events/log.ts'
import { outsideOf } from './outside.ts'
import { Readers } from './events/readers.ts'
import { receiptOf } from './report/receipt.ts'
import { replayOf } from './events/replay.ts'
import { tidy } from './events/retention.ts'
import { Runs } from './rows/runs.ts'
import { THREAD_MIGRATIONS } from './schema.ts'
import { SkillLoads } from './rows/skill-loads.ts'
import { startFailed } from './start/start-failed.ts'
import { SteadyClock } from './drive/steady-clock.ts'
import { tellWorkspace } from './report/tell.ts'
import { insertThread, mayUse, ThreadRow, type ThreadData } from './rows/thread-row.ts'
import { Transcript } from './rows/transcript.ts'
import { Ends } from './drive/ends.ts'
import { waitForEnd } from './drive/wait.ts'

const NO_THREAD = fail('not_found', 'There is no such thread.')

export class Thread extends DurableObject<Env> implements ThreadApi {
  #core: Core | null = null
  #burying: Promise<void> | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // A thread that was never begun has no tables, so that asking for unknown ids stores nothing.
    if (!hasSchema(ctx.storage.sql)) return
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, THREAD_MIGRATIONS))
    if (!isMarked(ctx.storage.sql)) this.#core = this.#open()
  }

  /** The ports; a fault test binds other ones. */
  protected outside(): Outside {
    return outsideOf(this.env)
  }

  #open(): Core {
    const { storage } = this.ctx
    const outside = this.outside()
    const row = new ThreadRow(storage.sql)
    const readers = new Readers()
    const clock = new SteadyClock(outside.now, Math.max(row.data.updatedAt, lastEvent(storage.sql).at))
    const out = { ...outside, now: clock.now }
    const log = new EventLog(storage, row.data.id, out.now, (to) => row.reserve(to))
    log.onFrame((frame) => readers.show(frame))
    return {
      ctx: this.ctx,
      out,
      row,
      log,
      readers,
      ends: new Ends(),
      alarm: new Alarm(storage, clock),
      runs: new Runs(storage.sql),
      journal: new Journal(storage.sql),
      loads: new SkillLoads(storage.sql),
      transcript: new Transcript(storage.sql),
      drive: null,
      saying: null,
      closing: false,
      gone: false,
    }
  }

  #home(): Home {
    return {
      ctx: this.ctx,
      out: this.#core?.out ?? this.outside(),
      core: () => this.#core,
      sql: () => (hasSchema(this.ctx.storage.sql) ? this.ctx.storage.sql : null),
      going: () => hasSchema(this.ctx.storage.sql) && isGoing(this.ctx.storage.sql),
      birth: (thread) => this.#birth(thread),
      drive: (core, runId) => driveRun(core, runId, 'fresh'),
      kick,
      cancelled: (core, runId) => this.ctx.waitUntil(cancelRun(core, runId)),
    }
  }

  #birth(thread: ThreadData): Core {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      migrate(storage.sql, THREAD_MIGRATIONS)
      unmark(storage.sql)
      insertThread(storage.sql, thread)
    })
    const core = this.#open()
    this.#core = core
    // A thread is in the list from its beginning: told once the block that it is born in is written, first run and all.
    // Should this be lost, the alarm tells it.
    this.ctx.waitUntil(Promise.resolve().then(() => tellWorkspace(core)))
    return core
  }

  /** The thread as this caller may see it; what one may not see is not there. Whoever asks wakes what nothing drives. */
  #mine(caller: Caller): Result<Core> {
    const core = this.#core
    if (!core || core.closing || !mayUse(caller, core.row.data)) return NO_THREAD
    kick(core)
    return ok(core)
  }

  async start(caller: Caller, input: StartInput): Promise<Result<Started>> {
    return accept(this.#home(), caller, input)
  }

  async startFailed(
    caller: Caller,
    input: StartInput & { readonly runId: string },
    why: string,
  ): Promise<Result<null>> {
    return startFailed(this.#home(), caller, input, input.runId, why)
  }

  async reply(caller: Caller, runId: string, waitMs: number): Promise<Result<ChatReply | null>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const core = mine.value
    if (!core.runs.get(runId)) return fail('not_found', `There is no run ${runId} in this thread.`)
    await waitForEnd(core, runId, waitMs)
    if (core.closing) return NO_THREAD
    const run = core.runs.get(runId)
    if (!run || run.stopReason === null) return ok(null)
    const message = core.transcript.answer(runId)
    return ok({
      thread_id: core.row.data.id,
      run_id: runId,
      status: run.status,
      stop_reason: run.stopReason,
      text: message ? textOf(message) : '',
      message,
      receipt: receiptOf(core, run),
    })
  }

  async info(caller: Caller): Promise<Result<ThreadInfo>> {
    const mine = this.#mine(caller)
    return mine.ok ? ok(threadInfo(mine.value)) : mine
  }

  async patch(
    caller: Caller,
    change: { readonly title?: string; readonly metadata?: Readonly<Record<string, string>> },
  ): Promise<Result<ThreadInfo>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const { row, out } = mine.value
    if (change.title !== undefined) row.title(change.title, true)
    if (change.metadata !== undefined) row.metadata(change.metadata)
    row.touch(out.now())
    this.ctx.waitUntil(settle(mine.value))
    return ok(threadInfo(mine.value))
  }

  async remove(caller: Caller): Promise<Result<null>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const core = mine.value
    core.closing = true
    mark(core)
    void core.alarm.by(core.out.now() + TELL_RETRY_MS)
    core.readers.closeAll()
    core.ends.tellAll()
    await this.ctx.storage.sync()
    await checkpoint('deletion.marked', this.ctx)
    // From here on it is deleted, whatever happens: should the rest fail, the alarm goes on with it.
    await silence(core)
    await this.#bury()
    return ok(null)
  }

  /** Goes on with a deletion, once at a time. Never rejects: the alarm comes back to it. */
  #bury(): Promise<void> {
    this.#burying ??= (async () => {
      try {
        const again = await bury(this.ctx, this.outside(), TELL_RETRY_MS)
        if (again !== null) await this.ctx.storage.setAlarm(again)
        // What is left of it, if anything, are keys that lead nowhere. Another may have been begun in its place.
        const left = hasSchema(this.ctx.storage.sql) && isGoing(this.ctx.storage.sql)
        if (!left && this.#core?.closing) this.#core = null
      } catch (error) {
        console.warn(JSON.stringify({ at: 'thread.deletion', error: redact(String(error)) }))
        await this.ctx.storage.setAlarm(this.outside().now() + TELL_RETRY_MS)
      } finally {
        this.#burying = null
      }
    })()
    return this.#burying
  }

  async messages(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Message>>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const after = cursor === null ? [0] : decodeCursor(cursor, ['number'])
    if (!after) return badCursor()
    const page = mine.value.transcript.page(after[0] ?? 0, limit)
    return ok({ data: page.messages, next_cursor: page.next === null ? null : encodeCursor([page.next]) })
  }

  async receipts(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Receipt>>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
    if (!before) return badCursor()
    const runs = mine.value.runs.page(before[0] ?? null, limit + 1)
    const shown = runs.slice(0, limit)
    const last = shown.at(-1)
    return ok({
      data: shown.map((run) => receiptOf(mine.value, run)),
      next_cursor: last && runs.length > limit ? encodeCursor([last.ord]) : null,
    })
  }

  async receipt(caller: Caller, runId: string): Promise<Result<Receipt>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const run = mine.value.runs.get(runId)
    return run
      ? ok(receiptOf(mine.value, run))
      : fail('not_found', `There is no run ${runId} in this thread.`)
  }

  async events(
    caller: Caller,
    runId: string | null,
    after: number | null,
  ): Promise<Result<ReadableStream<Uint8Array>>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    const core = mine.value
    const run = runId === null ? null : core.runs.get(runId)
    if (runId !== null && !run) return fail('not_found', `There is no run ${runId} in this thread.`)
    if (after !== null && after > core.log.last)
      return fail(
        'cursor_ahead',
        `The newest event of this thread is ${core.log.last}; ${after} was asked for.`,
      )
    if (core.readers.full) return fail('overloaded', 'This thread has too many readers.', { retryAfterS: 5 })
    return ok(core.readers.open(replayOf(core), runId, after ?? 0))
  }

  async cancel(caller: Caller, runId: string): Promise<Result<Receipt>> {
    const mine = this.#mine(caller)
    if (!mine.ok) return mine
    if (!mine.value.runs.get(runId)) return fail('not_found', `There is no run ${runId} in this thread.`)
    await cancelRun(mine.value, runId)
    return this.receipt(caller, runId)
  }

  override async alarm(): Promise<void> {
    const core = this.#core
    if (!core || core.closing) {
      if (!hasSchema(this.ctx.storage.sql) || !isMarked(this.ctx.storage.sql)) return
      await this.ctx.storage.setAlarm(this.outside().now() + TELL_RETRY_MS)
      if (core) await silence(core)
      return this.#bury()
    }
    core.alarm.reset()
    try {
      // First of all: dying of what follows, however often, must not use up the platform's tries.
      if (core.runs.running() !== null || core.runs.queued() > 0)
        await core.alarm.by(core.out.now() + WATCHDOG_MS)
      await wake(core)
      await tidy(core)
    } catch (error) {
      // Never left to the platform, which gives up after six tries: the alarm is set again by ourselves.
      console.error(JSON.stringify({ at: 'thread.alarm', error: redact(String(error)) }))
      await core.alarm.by(core.out.now() + WATCHDOG_MS)
    }
  }
}

function badCursor(): { readonly ok: false; readonly error: { code: 'bad_cursor'; detail: string } } {
  return {
    ok: false,
    error: { code: 'bad_cursor', detail: 'The cursor is not one of this list. Start again without it.' },
  }
}
