// Holds what an object contains: no thread, one thread, or the remaining rows of a deleted one. Creates
// threads, and assembles a thread from its parts.

import type { Result } from '../lib/result.ts'
import { renumberLeftovers } from '../files/objects.ts'
import { prefixOf } from '../files/store.ts'
import { FileTree } from '../files/tree.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { atomicBlocks } from './rows/atomically.ts'
import { insertDeletionMark, hasDeletedRows, isMarkedDeleted, removeDeletionMark } from './deletion.ts'
import { Alarm } from './executor/alarm.ts'
import { RunEndWaiters } from './executor/run-end-waiters.ts'
import { SteadyClock } from './executor/steady-clock.ts'
import { lastEvent } from './events/event-rows.ts'
import { EventLog } from './events/log.ts'
import { Readers } from './events/readers.ts'
import type { ForkInput } from './fork/api.ts'
import type { ThreadPorts, ThreadParts } from './parts.ts'
import { Approvals } from './rows/approvals.ts'
import { Journal } from './rows/journal.ts'
import { Sources } from './rows/sources.ts'
import { Revealed } from './rows/revealed.ts'
import { Runs } from './rows/runs.ts'
import { SkillLoads } from './rows/skill-loads.ts'
import { insertThread, ThreadRow, type ThreadData } from './rows/thread-row.ts'
import { Steered } from './rows/steered.ts'
import { Transcript } from './rows/transcript.ts'
import { Waits } from './rows/waits.ts'
import { THREAD_MIGRATIONS } from './rows/schema.ts'

/** A fork in progress in this object. Repeated requests wait for its result. */
interface ForkInProgress {
  readonly input: ForkInput
  readonly owner: string
  readonly done: Promise<Result<{ readonly thread_id: string }>>
}

export class ThreadHolder {
  /**
   * Null if no fork is in progress. In that case, rows marked as deleted belong to a deleted thread or a failed fork.
   */
  forkInProgress: ForkInProgress | null = null
  readonly ctx: DurableObjectState
  readonly #makePorts: () => ThreadPorts
  #thread: ThreadParts | null = null

  constructor(ctx: DurableObjectState, makePorts: () => ThreadPorts) {
    this.ctx = ctx
    this.#makePorts = makePorts
    // A thread that was never created has no tables, so requests for unknown ids store nothing.
    if (!this.sql) return
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, THREAD_MIGRATIONS))
    if (!isMarkedDeleted(ctx.storage.sql)) this.#thread = this.#open()
  }

  /** The thread. It may be marked as deleted while this instance still works on it. */
  get thread(): ThreadParts | null {
    return this.#thread
  }

  /** The ports. If there is a thread, `now` is the thread's own clock. */
  get ports(): ThreadPorts {
    return this.#thread?.ports ?? this.#makePorts()
  }

  /** The object's tables, if it has any, including those of a deleted thread. */
  get sql(): SqlStorage | null {
    const { sql } = this.ctx.storage
    // An open thread always has its tables. This getter runs for each message, and the schema check would
    // read a row each time.
    const isOpen = this.#thread !== null && !this.#thread.closing
    return isOpen || hasSchema(sql) ? sql : null
  }

  /** Whether rows of a deleted thread still exist. If so, no thread can be created here. */
  get hasDeletedRows(): boolean {
    return this.sql !== null && hasDeletedRows(this.sql)
  }

  /** Whether the rows belong to a deleted thread or to an uncommitted fork. */
  get isMarkedDeleted(): boolean {
    return this.sql !== null && isMarkedDeleted(this.sql)
  }

  /** Creates the tables and the thread's row. Must be called in the block that accepts the request. */
  create(data: ThreadData): ThreadParts {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      migrate(storage.sql, THREAD_MIGRATIONS)
      removeDeletionMark(storage.sql)
      insertThread(storage.sql, data)
    })
    this.#thread = this.#open()
    return this.#thread
  }

  /** Creates the tables and the row of an uncommitted thread. It is marked as deleted until `commitDraft`. */
  createDraft(data: ThreadData, at: number): void {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      migrate(storage.sql, THREAD_MIGRATIONS)
      removeDeletionMark(storage.sql)
      renumberLeftovers(storage.sql)
      insertThread(storage.sql, data)
      insertDeletionMark(storage.sql, { ...data, at, draft: 1 })
    })
  }

  /** Commits the thread that `createDraft` created. `writeMore` may write more rows in the same transaction. */
  commitDraft(writeMore: (thread: ThreadParts) => void): ThreadParts {
    const { storage } = this.ctx
    this.#thread = storage.transactionSync(() => {
      removeDeletionMark(storage.sql)
      const thread = this.#open()
      writeMore(thread)
      return thread
    })
    return this.#thread
  }

  /** Called once the thread is deleted with all its rows. */
  clear(): void {
    this.#thread = null
  }

  #open(): ThreadParts {
    const { ctx } = this
    const { storage } = ctx
    const ports = this.#makePorts()
    const row = new ThreadRow(storage.sql)
    const readers = new Readers()
    const clock = new SteadyClock(ports.now, Math.max(row.data.updatedAt, lastEvent(storage.sql).at))
    const log = new EventLog(storage, row.data.id, clock.now, (reservedTo) => row.reserve(reservedTo))
    log.onFrame((frame) => readers.send(frame))
    const revealed = new Revealed(storage.sql)
    const stored = {
      ctx,
      row,
      log,
      alarm: new Alarm(storage, clock),
      runs: new Runs(storage.sql),
      revealed,
      journal: new Journal(storage.sql, revealed),
      loads: new SkillLoads(storage.sql, () => row.data.window),
      approvals: new Approvals(storage.sql, row, revealed),
      waits: new Waits(storage.sql),
      sources: new Sources(storage.sql),
      transcript: new Transcript(storage.sql, () => row.data.window),
      steered: new Steered(storage.sql),
      files: new FileTree(storage.sql, prefixOf(row.data.workspace, row.data.id)),
    }
    return {
      ...stored,
      ports: { ...ports, now: clock.now },
      readers,
      runEnds: new RunEndWaiters(),
      atomically: atomicBlocks(stored),
      active: null,
      polling: null,
      partial: null,
      closing: false,
      gone: false,
    }
  }
}
