// The messages that steer a run and have not joined it yet. A row is deleted when its message joins the run, or becomes
// the next run.

import { createTable, hasTable } from './on-demand.ts'
import type { NewRun } from './runs.ts'
import { readStored } from './stored-json.ts'

/** A steered message, with what a run of its own would need. */
export type SteeredMessage = Pick<NewRun, 'ask' | 'options' | 'build' | 'requestId'>

export interface PendingRow {
  readonly runId: string
  /** The length of the message as JSON. */
  readonly chars: number
  readonly message: SteeredMessage
}

export class Steered {
  readonly #sql: SqlStorage
  #cached: readonly PendingRow[] | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  dropCache(): void {
    this.#cached = null
  }

  /** All pending messages of the thread, oldest first. */
  all(): readonly PendingRow[] {
    return (this.#cached ??= this.#read())
  }

  #read(): readonly PendingRow[] {
    if (!hasTable(this.#sql, 'steered')) return []
    return this.#sql
      .exec<{ run_id: string; message: string }>('SELECT run_id, message FROM steered ORDER BY ord')
      .toArray()
      .flatMap(({ run_id, message }) => {
        const stored = readStored<SteeredMessage>(message)
        return stored ? [{ runId: run_id, chars: message.length, message: stored }] : []
      })
  }

  /** The messages that wait to join this run, oldest first. */
  pending(runId: string): readonly SteeredMessage[] {
    const rows = this.all()
    return rows.length === 0 ? [] : rows.filter((row) => row.runId === runId).map(({ message }) => message)
  }

  /** The total length of the pending messages, as JSON. */
  get pendingChars(): number {
    return this.all().reduce((sum, { chars }) => sum + chars, 0)
  }

  add(runId: string, message: SteeredMessage): void {
    createTable(this.#sql, 'steered')
    this.#sql.exec('INSERT INTO steered (run_id, message) VALUES (?, ?)', runId, JSON.stringify(message))
    this.dropCache()
  }

  /** Returns the pending messages of the run and deletes their rows. */
  take(runId: string): readonly SteeredMessage[] {
    const messages = this.pending(runId)
    if (messages.length === 0) return messages
    this.#sql.exec('DELETE FROM steered WHERE run_id = ?', runId)
    this.dropCache()
    return messages
  }
}
