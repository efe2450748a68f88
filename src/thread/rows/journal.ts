// The journal of tool calls: planned → started → finished, with `waiting` before or after `started`. After a crash it tells
// which calls may run again. A `read` call gets a row only when it waits or finishes: until then its message is the only
// record of it.

import type { CallState } from '../../agent/loop.ts'
import type { ToolContent } from '../../agent/message.ts'
import type { Question } from '../../agent/question.ts'
import type { Effect, ToolNote, ToolResult } from '../../agent/tool.ts'
import { KEEP_START, WHERE_CALL, type CallRow } from './call-row.ts'
import { RECEIPT_TOOLS_MAX } from './limits.ts'
import { readStored } from './stored-json.ts'
import type { LastMessage } from './message-row.ts'
import { requestedCalls, type RequestedCall, type Targets } from './requested-calls.ts'

export interface JournalCall extends RequestedCall {
  readonly runId: string
  readonly effect: Effect
  readonly state: CallState
  readonly tries: number
  readonly startedAt: number | null
  /** True once the call was passed to its tool; false if it was refused before. */
  readonly dispatched: boolean
  readonly content: ToolContent
  readonly isError: boolean
  readonly notes: readonly ToolNote[]
}

export type CallId = Pick<JournalCall, 'runId' | 'message' | 'ord'>

export function isSameCall(a: CallId, b: CallId): boolean {
  return a.runId === b.runId && a.message === b.message && a.ord === b.ord
}

/** A message that requests calls. */
export type RequestMessage = Pick<LastMessage, 'seq' | 'content' | 'calls'>

/** The fields of a finished call that the limits on repeated calls use. */
type FinishedCall = { readonly key: string; readonly message: number }

/** Shown to the model in place of a result that cannot be read. */
const LOST_RESULT = 'The result of this call can no longer be read.'

/** The state of a planned call. */
const PLANNED_STATE = {
  effect: 'read',
  state: 'planned',
  tries: 0,
  startedAt: null,
  dispatched: false,
  content: '',
  isError: false,
  notes: [],
} as const

function keyOf(call: CallId): readonly [string, number, number] {
  return [call.runId, call.message, call.ord]
}

/** The calls that a message requests, all in state `planned`. */
function parseCalls(runId: string, request: RequestMessage, revealed: Targets): readonly JournalCall[] {
  return requestedCalls(request, revealed).map((call) => ({ ...PLANNED_STATE, runId, ...call }))
}

export class Journal {
  readonly #sql: SqlStorage
  /** Cached calls of the message read last. Always accurate, because only this object writes them. */
  #cached: { readonly message: number; readonly calls: readonly JournalCall[] } | null = null
  /** Cached finished calls of the run that was read last. */
  #finished: { readonly runId: string; readonly calls: FinishedCall[] } | null = null

  readonly #revealed: Targets

  constructor(sql: SqlStorage, revealed: Targets) {
    this.#sql = sql
    this.#revealed = revealed
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#cached = null
    this.#finished = null
  }

  /** Plans the calls of a message that this block inserts. Each call with side effects gets a row. */
  plan(runId: string, request: RequestMessage, effectOf: (name: string) => Effect): readonly JournalCall[] {
    const calls = parseCalls(runId, request, this.#revealed).map((call) => ({
      ...call,
      effect: call.through?.row.effect ?? effectOf(call.name),
    }))
    for (const call of calls)
      if (call.effect !== 'read')
        this.#sql.exec(
          `INSERT INTO tool_calls (run_id, message, ord, name, call_key, effect, state, tries)
           VALUES (?, ?, ?, ?, ?, ?, 'planned', 0)`,
          ...keyOf(call),
          call.name,
          call.callKey,
          call.effect,
        )
    this.#cached = { message: request.seq, calls }
    return calls
  }

  /** The calls of one assistant message, in order. */
  calls(runId: string, request: RequestMessage): readonly JournalCall[] {
    const message = request.seq
    if (!request.calls) return []
    if (this.#cached?.message !== message) this.#cached = { message, calls: this.#read(runId, request) }
    return this.#cached.calls
  }

  /** The current state of a call. */
  current(call: JournalCall): JournalCall {
    const cached = this.#cached?.message === call.message ? this.#cached.calls : []
    return cached.find(({ ord }) => ord === call.ord) ?? call
  }

  /** Number of `read` calls that have started and not finished. */
  countOpenReads(): number {
    return (this.#cached?.calls ?? []).filter(({ state, effect }) => state === 'started' && effect === 'read')
      .length
  }

  #changed(call: CallId, change: Partial<JournalCall>): void {
    if (this.#cached?.message !== call.message) return
    const calls = this.#cached.calls.map((old) => (old.ord === call.ord ? { ...old, ...change } : old))
    this.#cached = { message: call.message, calls }
  }

  /** The casts are safe: only this file writes these columns. */
  #read(runId: string, request: RequestMessage): readonly JournalCall[] {
    const rows = this.#sql
      .exec<CallRow>('SELECT * FROM tool_calls WHERE run_id = ? AND message = ?', runId, request.seq)
      .toArray()
    return parseCalls(runId, request, this.#revealed).map((call) => {
      const row = rows.find(({ ord }) => ord === call.ord)
      if (!row) return call
      return {
        ...call,
        effect: row.effect as Effect,
        state: row.state as CallState,
        tries: row.tries,
        startedAt: row.started_at,
        dispatched: row.made === 1,
        content:
          row.content === null ? '' : (readStored<readonly [ToolContent]>(row.content)?.[0] ?? LOST_RESULT),
        isError: row.is_error === 1,
        notes: row.notes === null ? [] : (readStored<ToolNote[]>(row.notes) ?? []),
      }
    })
  }

  /** How many earlier messages of this run requested the same call, including refused calls. */
  countSameCalls({ runId, callKey: key, message }: JournalCall): number {
    return this.#finishedOf(runId).filter((call) => call.key === key && call.message !== message).length
  }

  /**
   * Number of earlier calls of this tool in the run, including refused ones, without later parallel calls.
   */
  countToolCalls({ runId, name, message, ord }: JournalCall): number {
    const earlierCalls = this.#finishedOf(runId).filter(
      (call) => call.message !== message && call.key.startsWith(`${name} `),
    )
    const parallel = this.#cached?.message === message ? this.#cached.calls : []
    return earlierCalls.length + parallel.filter((call) => call.name === name && call.ord < ord).length
  }

  #finishedOf(runId: string): readonly FinishedCall[] {
    if (this.#finished?.runId !== runId) this.#finished = { runId, calls: this.#readFinished(runId) }
    return this.#finished.calls
  }

  #readFinished(runId: string): FinishedCall[] {
    return this.#sql
      .exec<FinishedCall>(
        "SELECT call_key AS key, message FROM tool_calls WHERE run_id = ? AND state = 'finished'",
        runId,
      )
      .toArray()
  }

  start(call: JournalCall, at: number, dispatched: boolean): void {
    if (call.effect !== 'read')
      this.#sql.exec(
        `UPDATE tool_calls SET state = 'started', tries = tries + 1, started_at = ? WHERE ${WHERE_CALL}`,
        at,
        ...keyOf(call),
      )
    this.#changed(call, { state: 'started', tries: call.tries + 1, startedAt: at, dispatched })
  }

  /** Sets a call back to its state before `start`, because it was not made. `before` is the call as it was then. */
  undoStart(before: JournalCall): void {
    const { state, tries, startedAt } = before
    this.#sql.exec(
      `UPDATE tool_calls SET state = ?, tries = ?, started_at = ? WHERE ${WHERE_CALL}`,
      state,
      tries,
      startedAt,
      ...keyOf(before),
    )
    this.#changed(before, { state, tries, startedAt, dispatched: false })
  }

  /** Ends the wait of a call that has no result: it is planned again only if it was never begun. */
  endWait(call: CallId): void {
    const [row] = this.#sql
      .exec<{ state: string }>(
        `UPDATE tool_calls SET state = iif(tries > 0, 'started', 'planned') WHERE ${WHERE_CALL} RETURNING state`,
        ...keyOf(call),
      )
      .toArray()
    this.#changed(call, { state: row?.state === 'started' ? 'started' : 'planned', dispatched: false })
  }

  /** Records that the call waits. Even a `read` call gets a row now. */
  markWaiting(call: JournalCall): void {
    const { tries, startedAt, dispatched } = this.current(call)
    this.#sql.exec(
      `INSERT INTO tool_calls (run_id, message, ord, name, call_key, effect, state, tries, started_at, made)
       VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, made = excluded.made, ${KEEP_START}`,
      ...keyOf(call),
      call.name,
      call.callKey,
      call.effect,
      tries,
      startedAt,
      dispatched ? 1 : 0,
    )
    this.#changed(call, { state: 'waiting' })
  }

  finish(call: JournalCall, result: ToolResult, at: number): void {
    const { tries, startedAt, dispatched, state } = this.current(call)
    this.#sql.exec(
      `INSERT INTO tool_calls
         (run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, made, is_error, notes,
          content)
       VALUES (?, ?, ?, ?, ?, ?, 'finished', ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at, made = excluded.made,
         is_error = excluded.is_error, notes = excluded.notes, content = excluded.content, ${KEEP_START}`,
      ...keyOf(call),
      call.name,
      call.callKey,
      call.effect,
      tries,
      startedAt,
      at,
      dispatched ? 1 : 0,
      result.isError ? 1 : 0,
      result.notes ? JSON.stringify(result.notes) : null,
      JSON.stringify([result.content]),
    )
    if (state !== 'finished' && this.#finished?.runId === call.runId)
      this.#finished.calls.push({ key: call.callKey, message: call.message })
    const { content, isError, notes = [] } = result
    this.#changed(call, { state: 'finished', content, isError, notes })
  }

  /** The notes of a run's finished calls, in the order of the calls. */
  notes(runId: string): readonly ToolNote[] {
    return this.#sql
      .exec<{ notes: string }>(
        'SELECT notes FROM tool_calls WHERE run_id = ? AND notes IS NOT NULL ORDER BY message, ord',
        runId,
      )
      .toArray()
      .flatMap((row) => readStored<ToolNote[]>(row.notes) ?? [])
  }

  /** The last question that the run asked the person. */
  question(runId: string): Question | null {
    const note = this.notes(runId).findLast((candidate) => candidate.type === 'question')
    if (!note) return null
    const { kind, question, context, options } = note
    return { kind, question, context, options }
  }

  /** Calls and errors per tool, in order of first use. Limited, because a model may invent tool names. */
  countsByTool(runId: string): readonly { name: string; calls: number; errors: number }[] {
    return this.#sql
      .exec<{ name: string; calls: number; errors: number | null }>(
        `SELECT name, COUNT(*) AS calls, SUM(is_error) AS errors FROM
           (SELECT name, is_error, row_number() OVER (ORDER BY message, ord) AS position FROM tool_calls
            WHERE run_id = ? AND state = 'finished')
         GROUP BY name ORDER BY MIN(position) LIMIT ?`,
        runId,
        RECEIPT_TOOLS_MAX,
      )
      .toArray()
      .map(({ name, calls, errors }) => ({ name, calls, errors: errors ?? 0 }))
  }
}
