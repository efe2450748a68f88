// The journal of tool calls: planned → started → finished. After a crash it says what may run again.

import type { CallState } from '../../agent/loop.ts'
import type { ToolUseBlock } from '../../agent/message.ts'
import { callKey } from '../../agent/repeat.ts'
import type { Effect, ToolNote, ToolResult } from '../../agent/tool.ts'
import { RECEIPT_TOOLS_MAX } from '../../limits.ts'
import { readStored, writeStored } from './stored.ts'

export interface JournalCall {
  readonly runId: string
  /** Number of the message that asked for it, and its place there. */
  readonly message: number
  readonly ord: number
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
  readonly callKey: string
  readonly effect: Effect
  readonly state: CallState
  readonly tries: number
  readonly startedAt: number | null
  readonly content: string
  readonly isError: boolean
}

/** One row of the receipt's table of tools. */
export interface ToolCount {
  readonly name: string
  readonly calls: number
  readonly errors: number
}

interface CallRow extends Record<string, SqlStorageValue> {
  ord: number
  tool_use_id: string
  name: string
  input: string
  call_key: string
  effect: string
  state: string
  tries: number
  started_at: number | null
  content: string | null
  is_error: number | null
}

const THIS = 'run_id = ? AND message = ? AND ord = ?'

function keyOf(call: JournalCall): readonly [string, number, number] {
  return [call.runId, call.message, call.ord]
}

export class Journal {
  readonly #sql: SqlStorage
  /** Calls of the newest message that was asked for, as their rows stand: this object is their only writer. */
  #kept: { readonly message: number; readonly calls: readonly JournalCall[] } | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#kept = null
  }

  /** `kept`: the input as the row keeps it. The row is what says from now on what the call may do to the world. */
  plan(
    runId: string,
    message: number,
    order: number,
    call: ToolUseBlock,
    effect: Effect,
    kept: unknown,
  ): void {
    this.reread()
    this.#sql.exec(
      `INSERT INTO tool_calls (run_id, message, ord, tool_use_id, name, input, call_key, effect, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planned')`,
      runId,
      message,
      order,
      call.id,
      call.name,
      writeStored(kept ?? {}),
      callKey(call.name, call.input ?? {}),
      effect,
    )
  }

  /** Calls of one assistant message, in its order. The casts name what plan() wrote. */
  calls(runId: string, message: number): readonly JournalCall[] {
    if (this.#kept?.message !== message) this.#kept = { message, calls: this.#read(runId, message) }
    return this.#kept.calls
  }

  #changed(call: JournalCall, change: Partial<JournalCall>): void {
    if (this.#kept?.message !== call.message) return
    const calls = this.#kept.calls.map((kept) => (kept.ord === call.ord ? { ...kept, ...change } : kept))
    this.#kept = { message: call.message, calls }
  }

  #read(runId: string, message: number): readonly JournalCall[] {
    return this.#sql
      .exec<CallRow>('SELECT * FROM tool_calls WHERE run_id = ? AND message = ? ORDER BY ord', runId, message)
      .toArray()
      .map((row) => ({
        runId,
        message,
        ord: row.ord,
        toolUseId: row.tool_use_id,
        name: row.name,
        input: readStored(row.input) ?? {},
        callKey: row.call_key,
        effect: row.effect as Effect,
        state: row.state as CallState,
        tries: row.tries,
        startedAt: row.started_at,
        content: row.content ?? '',
        isError: row.is_error === 1,
      }))
  }

  /** How often the very same call was asked for earlier in this run, made or refused. */
  earlier(call: JournalCall): number {
    return Number(
      this.#sql
        .exec(
          `SELECT COUNT(*) AS n FROM tool_calls
           WHERE run_id = ? AND call_key = ? AND message <> ? AND state = 'finished'`,
          call.runId,
          call.callKey,
          call.message,
        )
        .one()['n'],
    )
  }

  start(call: JournalCall, at: number): void {
    this.#sql.exec(
      `UPDATE tool_calls SET state = 'started', tries = tries + 1, started_at = ? WHERE ${THIS}`,
      at,
      ...keyOf(call),
    )
    this.#changed(call, { state: 'started', tries: call.tries + 1, startedAt: at })
  }

  /** What was written down before a call and then not done: it was never made. */
  callOff(call: JournalCall): void {
    this.#sql.exec(`UPDATE tool_calls SET state = 'planned' WHERE ${THIS}`, ...keyOf(call))
    this.#changed(call, { state: 'planned' })
  }

  finish(call: JournalCall, result: ToolResult, at: number): void {
    this.#sql.exec(
      `UPDATE tool_calls SET state = 'finished', finished_at = ?, content = ?, is_error = ?, notes = ?
       WHERE ${THIS}`,
      at,
      result.content,
      result.isError ? 1 : 0,
      result.notes ? JSON.stringify(result.notes) : null,
      ...keyOf(call),
    )
    this.#changed(call, { state: 'finished', content: result.content, isError: result.isError })
  }

  /** What finished calls of a run noted, in the order they were called. */
  notes(runId: string): readonly ToolNote[] {
    return this.#sql
      .exec<{ notes: string }>(
        'SELECT notes FROM tool_calls WHERE run_id = ? AND notes IS NOT NULL ORDER BY message, ord',
        runId,
      )
      .toArray()
      .flatMap((row) => readStored<ToolNote[]>(row.notes) ?? [])
  }

  /** By name, in the order of their first call; the first of them, for a model may make up as many as it likes. */
  counts(runId: string): readonly ToolCount[] {
    return this.#sql
      .exec<{ name: string; calls: number; errors: number | null }>(
        `SELECT name, COUNT(*) AS calls, SUM(is_error) AS errors FROM
           (SELECT name, is_error, row_number() OVER (ORDER BY message, ord) AS place FROM tool_calls
            WHERE run_id = ? AND state = 'finished')
         GROUP BY name ORDER BY MIN(place) LIMIT ?`,
        runId,
        RECEIPT_TOOLS_MAX,
      )
      .toArray()
      .map(({ name, calls, errors }) => ({ name, calls, errors: errors ?? 0 }))
  }
}
