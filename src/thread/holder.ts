// The place of a thread in its object: empty, holding the thread, or with the rows of a deleted one that are still going.
// Here a thread is made, and put together from its parts.

import type { Result } from '../lib/result.ts'
import { setAside } from '../files/objects.ts'
import { prefixOf } from '../files/store.ts'
import { FileTree } from '../files/tree.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { blocksOf } from './rows/atomically.ts'
import { insertMark, isGoing, isMarked, unmark } from './deletion.ts'
import { Alarm } from './executor/alarm.ts'
import { Ends } from './executor/ends.ts'
import { SteadyClock } from './executor/steady-clock.ts'
import { lastEvent } from './events/event-rows.ts'
import { EventLog } from './events/log.ts'
import { Readers } from './events/readers.ts'
import type { ForkInput } from './fork/api.ts'
import type { ThreadPorts, ThreadParts } from './parts.ts'
import { Approvals } from './rows/approvals.ts'
import { Journal } from './rows/journal.ts'
import { Sources } from './rows/sources.ts'
import { Runs } from './rows/runs.ts'
import { SkillLoads } from './rows/skill-loads.ts'
import { insertThread, ThreadRow, type ThreadData } from './rows/thread-row.ts'
import { Transcript } from './rows/transcript.ts'
import { THREAD_MIGRATIONS } from './rows/schema.ts'

/** A fork that is being made here, for whoever asks for the same. */
interface Forking {
  readonly input: ForkInput
  readonly owner: string
  readonly done: Promise<Result<{ readonly thread_id: string }>>
}

export class ThreadHolder {
  /** Null: none is; rows that are marked as deleted are a deleted thread's, or of a fork that broke off. */
  forking: Forking | null = null
  readonly ctx: DurableObjectState
  readonly #ports: () => ThreadPorts
  #thread: ThreadParts | null = null

  constructor(ctx: DurableObjectState, ports: () => ThreadPorts) {
    this.ctx = ctx
    this.#ports = ports
    // A thread that was never begun has no tables, so that asking for unknown ids stores nothing.
    if (!this.sql) return
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, THREAD_MIGRATIONS))
    if (!isMarked(ctx.storage.sql)) this.#thread = this.#open()
  }

  /** The thread; one that is marked as deleted, too, as long as this instance works on it. */
  get thread(): ThreadParts | null {
    return this.#thread
  }

  /** The ports: with the thread's own time where there is one. */
  get out(): ThreadPorts {
    return this.#thread?.out ?? this.#ports()
  }

  /** The object's tables, where it has any: those of a deleted thread, too. */
  get sql(): SqlStorage | null {
    const { sql } = this.ctx.storage
    // A thread that is not being deleted has its tables: each message asks, and a look reads a row for each of them.
    const isOpen = this.#thread !== null && !this.#thread.closing
    return isOpen || hasSchema(sql) ? sql : null
  }

  /** Rows of a deleted thread are still there: nothing can be begun in their place. */
  get going(): boolean {
    return this.sql !== null && isGoing(this.sql)
  }

  /** What is here is a deleted thread's, or of one that is not there yet. */
  get isMarked(): boolean {
    return this.sql !== null && isMarked(this.sql)
  }

  /** Makes the tables and the thread's row; inside the accepting block. */
  create(data: ThreadData): ThreadParts {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      migrate(storage.sql, THREAD_MIGRATIONS)
      unmark(storage.sql)
      insertThread(storage.sql, data)
    })
    this.#thread = this.#open()
    return this.#thread
  }

  /** Makes the tables and the row of a thread that is not there yet: it is marked as deleted, and more rows are to come. */
  createDraft(data: ThreadData, at: number): void {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      migrate(storage.sql, THREAD_MIGRATIONS)
      unmark(storage.sql)
      setAside(storage.sql)
      insertThread(storage.sql, data)
      insertMark(storage.sql, { ...data, at, draft: 1 })
    })
  }

  /** That thread is there from now on. `last`: what is written in the same block. */
  commitDraft(last: (thread: ThreadParts) => void): ThreadParts {
    const { storage } = this.ctx
    this.#thread = storage.transactionSync(() => {
      unmark(storage.sql)
      const thread = this.#open()
      last(thread)
      return thread
    })
    return this.#thread
  }

  /** Its thread is deleted, with all its rows. */
  clear(): void {
    this.#thread = null
  }

  #open(): ThreadParts {
    const { ctx } = this
    const { storage } = ctx
    const ports = this.#ports()
    const row = new ThreadRow(storage.sql)
    const readers = new Readers()
    const clock = new SteadyClock(ports.now, Math.max(row.data.updatedAt, lastEvent(storage.sql).at))
    const log = new EventLog(storage, row.data.id, clock.now, (to) => row.reserve(to))
    log.onFrame((frame) => readers.show(frame))
    const stored = {
      ctx,
      row,
      log,
      alarm: new Alarm(storage, clock),
      runs: new Runs(storage.sql),
      journal: new Journal(storage.sql),
      loads: new SkillLoads(storage.sql),
      approvals: new Approvals(storage.sql, row),
      sources: new Sources(storage.sql),
      transcript: new Transcript(storage.sql),
      files: new FileTree(storage.sql, prefixOf(row.data.workspace, row.data.id)),
    }
    return {
      ...stored,
      out: { ...ports, now: clock.now },
      readers,
      ends: new Ends(),
      atomically: blocksOf(stored),
      active: null,
      partial: null,
      closing: false,
      gone: false,
    }
  }
}
