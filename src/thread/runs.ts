// The rows of runs: reading them, and the few writes that move one on.

import type { Problem, StopReason } from '../agent/events.ts'
import { NO_USAGE, type Usage } from '../agent/message.ts'
import { runOf, type Run, type RunAsk, type RunOptions, type RunRow } from './run.ts'

export interface NewRun {
  readonly id: string
  readonly requestId: string
  readonly status: 'queued' | 'running'
  readonly ask: RunAsk
  readonly options: RunOptions
  readonly build: string
  readonly catalogVersion: number
  readonly catalogIndex: string
  readonly model: string
  readonly at: number
  readonly firstSeq: number
}

export class Runs {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  #one(where: string, ...values: SqlStorageValue[]): Run | null {
    const row = this.#sql.exec<RunRow>(`SELECT * FROM runs WHERE ${where}`, ...values).toArray()[0]
    return row ? runOf(row) : null
  }

  get(id: string): Run | null {
    return this.#one('id = ?', id)
  }

  running(): Run | null {
    return this.#one("status = 'running' LIMIT 1")
  }

  nextQueued(): Run | null {
    return this.#one("status = 'queued' ORDER BY ord LIMIT 1")
  }

  queued(): number {
    return Number(this.#sql.exec("SELECT COUNT(*) AS n FROM runs WHERE status = 'queued'").one()['n'])
  }

  insert(run: NewRun): void {
    this.#sql.exec(
      `INSERT INTO runs (id, request_id, status, input, options, build, catalog_version, catalog_index, model, usage, accepted_at, first_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      run.id,
      run.requestId,
      run.status,
      JSON.stringify(run.ask),
      JSON.stringify(run.options),
      run.build,
      run.catalogVersion,
      run.catalogIndex,
      run.model,
      JSON.stringify(NO_USAGE),
      run.at,
      run.firstSeq,
    )
  }

  /** Pins the catalog that is live when the run starts. */
  started(id: string, catalogVersion: number, catalogIndex: string, at: number): void {
    this.#sql.exec(
      "UPDATE runs SET status = 'running', catalog_version = ?, catalog_index = ?, started_at = ? WHERE id = ?",
      catalogVersion,
      catalogIndex,
      at,
      id,
    )
  }

  /** A new drive takes the run over: its wait is over, drives before it can write nothing more. Returns its epoch. */
  takeOver(id: string): number {
    this.#sql.exec('UPDATE runs SET epoch = epoch + 1, resume_at = NULL WHERE id = ?', id)
    return Number(this.#sql.exec('SELECT epoch FROM runs WHERE id = ?', id).one()['epoch'])
  }

  holds(id: string, epoch: number): boolean {
    const row = this.#sql.exec('SELECT epoch, status FROM runs WHERE id = ?', id).toArray()[0]
    return row !== undefined && Number(row['epoch']) === epoch && row['status'] === 'running'
  }

  /** A drive died: what it had reserved is spent, for nobody knows what the call cost. */
  recovered(id: string): void {
    this.#sql.exec(
      `UPDATE runs SET recoveries = recoveries + 1, used_tokens = used_tokens + open_tokens,
         used_usd = used_usd + open_usd, open_tokens = 0, open_usd = 0 WHERE id = ?`,
      id,
    )
  }

  reserve(id: string, tokens: number, usd: number): void {
    this.#sql.exec(
      'UPDATE runs SET model_calls = model_calls + 1, open_tokens = ?, open_usd = ?, resume_at = NULL WHERE id = ?',
      tokens,
      usd,
      id,
    )
  }

  /** Settles the open reservation with what the call really used. */
  settle(id: string, tokens: number, usd: number, usage: Usage): void {
    this.#sql.exec(
      `UPDATE runs SET used_tokens = used_tokens + ?, used_usd = used_usd + ?, open_tokens = 0, open_usd = 0, usage = ?
       WHERE id = ?`,
      tokens,
      usd,
      JSON.stringify(usage),
      id,
    )
  }

  stepDone(id: string): void {
    this.#sql.exec('UPDATE runs SET steps = steps + 1, attempts = 0 WHERE id = ?', id)
  }

  attemptFailed(id: string, resumeAt: number): void {
    this.#sql.exec('UPDATE runs SET attempts = attempts + 1, resume_at = ? WHERE id = ?', resumeAt, id)
  }

  toolCallMade(id: string): void {
    this.#sql.exec('UPDATE runs SET tool_calls = tool_calls + 1 WHERE id = ?', id)
  }

  sumUp(id: string): void {
    this.#sql.exec('UPDATE runs SET summing_up = 1 WHERE id = ?', id)
  }

  askToCancel(id: string, how: 'cancelled' | 'interrupted'): void {
    this.#sql.exec(
      "UPDATE runs SET cancel = ? WHERE id = ? AND status IN ('queued', 'running') AND cancel IS NULL",
      how,
      id,
    )
  }

  /** True when this call ended it: a run ends once. */
  end(
    id: string,
    status: 'completed' | 'failed' | 'cancelled',
    stop: StopReason,
    problem: Problem | null,
    at: number,
  ): boolean {
    const { rowsWritten } = this.#sql.exec(
      `UPDATE runs SET status = ?, stop_reason = ?, problem = ?, ended_at = ?, resume_at = NULL
       WHERE id = ? AND status IN ('queued', 'running')`,
      status,
      stop,
      problem ? JSON.stringify(problem) : null,
      at,
      id,
    )
    return rowsWritten > 0
  }

  /** Newest first, before row number `before`. */
  page(before: number | null, limit: number): readonly Run[] {
    return this.#sql
      .exec<RunRow>(
        'SELECT * FROM runs WHERE ord < ? ORDER BY ord DESC LIMIT ?',
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map(runOf)
  }

  /** Ended runs that the workspace has not heard of. */
  unrecorded(): readonly Run[] {
    return this.#sql
      .exec<RunRow>(
        "SELECT * FROM runs WHERE recorded = 0 AND status NOT IN ('queued', 'running') ORDER BY ord LIMIT 20",
      )
      .toArray()
      .map(runOf)
  }

  recorded(id: string): void {
    this.#sql.exec('UPDATE runs SET recorded = 1 WHERE id = ?', id)
  }
}
