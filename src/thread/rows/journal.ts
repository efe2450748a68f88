// The journal of tool calls: planned → started → finished. After a crash it says what may run again.

import type { CallState } from '../../agent/loop.ts'
import type { ToolUseBlock } from '../../agent/message.ts'
import { callKey } from '../../agent/repeat.ts'
import type { Effect, ToolNote, ToolResult } from '../../agent/tool.ts'
import { RECEIPT_TOOLS_MAX } from '../../limits.ts'
import { readStored, writeStored } from './stored.ts'

export interface JournalCall {
  readonly messageId: string
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

export class Journal {
  readonly #sql: SqlStorage
  /** Calls of the newest message that was asked for, as their rows stand: this object is their only writer. */
  #kept: { readonly messageId: string; readonly calls: readonly JournalCall[] } | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#kept = null
  }

  /** `kept`: the input as the row keeps it. The row is what says from now on what the call may do to the world. */
  plan(
    messageId: string,
    runId: string,
    order: number,
    call: ToolUseBlock,
    effect: Effect,
    kept: unknown,
  ): void {
    this.reread()
    this.#sql.exec(
      `INSERT OR IGNORE INTO tool_calls (message_id, tool_use_id, ord, run_id, name, input, call_key, effect, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planned')`,
      messageId,
      call.id,
      order,
      runId,
      call.name,
      writeStored(kept ?? {}),
      callKey(call.name, call.input ?? {}),
      effect,
    )
  }

  /** Calls of one assistant message, in its order. The casts name what plan() wrote. */
  calls(messageId: string): readonly JournalCall[] {
    if (this.#kept?.messageId !== messageId) this.#kept = { messageId, calls: this.#read(messageId) }
    return this.#kept.calls
  }

  #changed(call: JournalCall, change: Partial<JournalCall>): void {
    if (this.#kept?.messageId !== call.messageId) return
    const calls = this.#kept.calls.map((kept) =>
      kept.toolUseId === call.toolUseId ? { ...kept, ...change } : kept,
    )
    this.#kept = { messageId: call.messageId, calls }
  }

  #read(messageId: string): readonly JournalCall[] {
    return this.#sql
      .exec<CallRow>('SELECT * FROM tool_calls WHERE message_id = ? ORDER BY ord', messageId)
      .toArray()
      .map((row) => ({
        messageId,
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
  earlier(runId: string, call: JournalCall): number {
    return Number(
      this.#sql
        .exec(
          `SELECT COUNT(*) AS n FROM tool_calls
           WHERE run_id = ? AND call_key = ? AND message_id <> ? AND state = 'finished'`,
          runId,
          call.callKey,
          call.messageId,
        )
        .one()['n'],
    )
  }

  start(call: JournalCall, at: number): void {
    this.#sql.exec(
      "UPDATE tool_calls SET state = 'started', tries = tries + 1, started_at = ? WHERE message_id = ? AND tool_use_id = ?",
      at,
      call.messageId,
      call.toolUseId,
    )
    this.#changed(call, { state: 'started', tries: call.tries + 1, startedAt: at })
  }

  /** What was written down before a call and then not done: it was never made. */
  callOff(call: JournalCall): void {
    this.#sql.exec(
      "UPDATE tool_calls SET state = 'planned' WHERE message_id = ? AND tool_use_id = ?",
      call.messageId,
      call.toolUseId,
    )
    this.#changed(call, { state: 'planned' })
  }

  finish(call: JournalCall, result: ToolResult, at: number): void {
    this.#sql.exec(
      `UPDATE tool_calls SET state = 'finished', finished_at = ?, content = ?, is_error = ?, notes = ?
       WHERE message_id = ? AND tool_use_id = ?`,
      at,
      result.content,
      result.isError ? 1 : 0,
      result.notes ? JSON.stringify(result.notes) : null,
      call.messageId,
      call.toolUseId,
    )
    this.#changed(call, { state: 'finished', content: result.content, isError: result.isError })
  }

  /** What finished calls of a run noted, in the order they were called. */
  notes(runId: string): readonly ToolNote[] {
    return this.#sql
      .exec<{ notes: string }>(
        'SELECT notes FROM tool_calls WHERE run_id = ? AND notes IS NOT NULL ORDER BY rowid',
        runId,
      )
      .toArray()
      .flatMap((row) => readStored<ToolNote[]>(row.notes) ?? [])
  }

  /** By name, in the order of their first call; the first of them, for a model may make up as many as it likes. */
  counts(runId: string): readonly ToolCount[] {
    return this.#sql
      .exec<{ name: string; calls: number; errors: number | null }>(
        `SELECT name, COUNT(*) AS calls, SUM(is_error) AS errors FROM tool_calls
         WHERE run_id = ? AND state = 'finished' GROUP BY name ORDER BY MIN(rowid) LIMIT ?`,
        runId,
        RECEIPT_TOOLS_MAX,
      )
      .toArray()
      .map(({ name, calls, errors }) => ({ name, calls, errors: errors ?? 0 }))
  }
}
