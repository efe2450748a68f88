// The calls that a run waits for: why, since when, and until when. A row is deleted in the block that ends its wait.

import { WHERE_CALL } from './call-row.ts'
import { isSameCall, type CallId, type JournalCall } from './journal.ts'
import type { WaitReason } from '../../agent/wait.ts'
import { createTable, hasTable } from './on-demand.ts'
import { readStored } from './stored-json.ts'

export interface Wait extends CallId {
  readonly toolUseId: string
  readonly name: string
  readonly reason: WaitReason
  /** When the wait began, and when it ends at the latest (epoch milliseconds). */
  readonly since: number
  readonly until: number
  /** When the thread has to act, unless the wait ends before: it asks the server, or ends the wait. */
  readonly dueAt: number
  /** What the tool needs to ask its server, as JSON. Null for an approval. */
  readonly state: unknown
}

interface WaitRow extends Record<string, SqlStorageValue> {
  run_id: string
  message: number
  ord: number
  tool_use_id: string
  name: string
  reason: string
  since: number
  until: number
  due_at: number
  state: string | null
}

export class Waits {
  readonly #sql: SqlStorage
  /** Always accurate, because only this object writes the rows. */
  #cached: readonly Wait[] | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  dropCache(): void {
    this.#cached = null
  }

  #rows(): readonly Wait[] {
    return (this.#cached ??= this.#read())
  }

  /** The casts are safe: only this file writes these columns. */
  #read(): readonly Wait[] {
    if (!hasTable(this.#sql, 'waits')) return []
    return this.#sql
      .exec<WaitRow>('SELECT * FROM waits ORDER BY run_id, message, ord')
      .toArray()
      .map((row) => ({
        runId: row.run_id,
        message: row.message,
        ord: row.ord,
        toolUseId: row.tool_use_id,
        name: row.name,
        reason: row.reason as WaitReason,
        since: row.since,
        until: row.until,
        dueAt: row.due_at,
        state: row.state === null ? null : readStored<object>(row.state),
      }))
  }

  /** The waits of a run, in the order of its calls. */
  ofRun(runId: string): readonly Wait[] {
    return this.#rows().filter((wait) => wait.runId === runId)
  }

  has(call: CallId): boolean {
    return this.#rows().some((wait) => isSameCall(wait, call))
  }

  /** Must be called in the block that marks the call as waiting. Replaces an earlier wait of the call. */
  add(
    { runId, message, ord, toolUseId, name }: CallId & Pick<JournalCall, 'toolUseId' | 'name'>,
    { reason, since, until, dueAt, state }: Pick<Wait, 'reason' | 'since' | 'until' | 'dueAt' | 'state'>,
  ): void {
    createTable(this.#sql, 'waits')
    this.#sql.exec(
      `INSERT OR REPLACE INTO waits (run_id, message, ord, tool_use_id, name, reason, since, until, due_at, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      runId,
      message,
      ord,
      toolUseId,
      name,
      reason,
      since,
      until,
      dueAt,
      state === null ? null : JSON.stringify(state),
    )
    this.dropCache()
  }

  /** Records when the server is asked next, and with what. */
  continue(call: CallId, dueAt: number, state: unknown): void {
    this.#sql.exec(
      `UPDATE waits SET due_at = ?, state = ? WHERE ${WHERE_CALL}`,
      dueAt,
      JSON.stringify(state),
      call.runId,
      call.message,
      call.ord,
    )
    this.dropCache()
  }

  /** Must be called in the block that ends the wait. Does nothing if the call does not wait. */
  remove(call: CallId): void {
    if (!this.has(call)) return
    this.#sql.exec(`DELETE FROM waits WHERE ${WHERE_CALL}`, call.runId, call.message, call.ord)
    this.dropCache()
  }

  /** Ends all waits of a run that ends. */
  removeAll(runId: string): void {
    if (this.ofRun(runId).length === 0) return
    this.#sql.exec('DELETE FROM waits WHERE run_id = ?', runId)
    this.dropCache()
  }
}
