// The journal of tool calls: planned → started → finished. After a crash it says what may run again. A call that reads has
// a row only once it is finished: before that nothing is known of it but that its message asks for it.

import type { CallState } from '../../agent/loop.ts'
import { isToolUse, type ToolContent } from '../../agent/message.ts'
import type { Question } from '../../agent/question.ts'
import { callKey } from '../../agent/repeat.ts'
import type { Effect, ToolNote, ToolResult } from '../../agent/tool.ts'
import { RECEIPT_TOOLS_MAX } from './limits.ts'
import { readStored } from './stored.ts'
import type { LastMessage } from './transcript.ts'

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
  /** It was handed to its tool, not refused before. */
  readonly made: boolean
  readonly content: ToolContent
  readonly isError: boolean
  readonly notes: readonly ToolNote[]
}

export type CallKey = Pick<JournalCall, 'runId' | 'message' | 'ord'>

/** The message that asks for calls. */
export type Asking = Pick<LastMessage, 'seq' | 'content' | 'calls'>

interface CallRow extends Record<string, SqlStorageValue> {
  ord: number
  effect: string
  state: string
  tries: number
  started_at: number | null
  made: number
  content: string | null
  is_error: number | null
  notes: string | null
}

/** What is counted of a call. */
type FinishedCall = { readonly key: string; readonly message: number }

/** What the model gets in place of a result that cannot be read. */
const LOST = 'The result of this call cannot be read any more.'

/** As a call stands that nothing was done about. */
const UNTOUCHED = {
  state: 'planned',
  tries: 0,
  startedAt: null,
  made: false,
  content: '',
  isError: false,
  notes: [],
} as const

const THIS = 'run_id = ? AND message = ? AND ord = ?'

function keyOf(call: CallKey): readonly [string, number, number] {
  return [call.runId, call.message, call.ord]
}

/** The calls that a message asks for, as if nothing was done about them. An id that comes twice is one call. */
function asked(runId: string, { seq, content }: Pick<Asking, 'seq' | 'content'>): readonly JournalCall[] {
  const ids = new Set<string>()
  return content.filter(isToolUse).flatMap(({ id, name, input }, ord) => {
    if (ids.has(id)) return []
    ids.add(id)
    const key = callKey(name, input ?? {})
    return [
      {
        ...UNTOUCHED,
        runId,
        message: seq,
        ord,
        toolUseId: id,
        name,
        input: input ?? {},
        callKey: key,
        effect: 'read' as const,
      },
    ]
  })
}

export class Journal {
  readonly #sql: SqlStorage
  /** Calls of the newest message that was asked for, as their rows stand: this object is their only writer. */
  #kept: { readonly message: number; readonly calls: readonly JournalCall[] } | null = null
  /** Finished calls of the run that was asked for last. */
  #finished: { readonly runId: string; readonly calls: FinishedCall[] } | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#kept = null
    this.#finished = null
  }

  /** Calls of a message that is written in this block. One that may do something to the world has a row from now on. */
  plan(runId: string, asking: Asking, effectOf: (name: string) => Effect): readonly JournalCall[] {
    const calls = asked(runId, asking).map((call) => ({ ...call, effect: effectOf(call.name) }))
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
    this.#kept = { message: asking.seq, calls }
    return calls
  }

  /** Calls of one assistant message, in its order. */
  calls(runId: string, asking: Asking): readonly JournalCall[] {
    const message = asking.seq
    if (!asking.calls) return []
    if (this.#kept?.message !== message) this.#kept = { message, calls: this.#read(runId, asking) }
    return this.#kept.calls
  }

  /** A call as it stands now. */
  now(call: JournalCall): JournalCall {
    const kept = this.#kept?.message === call.message ? this.#kept.calls : []
    return kept.find(({ ord }) => ord === call.ord) ?? call
  }

  /** Calls that read right now: no row says so. */
  reading(): number {
    return (this.#kept?.calls ?? []).filter(({ state, effect }) => state === 'started' && effect === 'read')
      .length
  }

  #changed(call: CallKey, change: Partial<JournalCall>): void {
    if (this.#kept?.message !== call.message) return
    const calls = this.#kept.calls.map((kept) => (kept.ord === call.ord ? { ...kept, ...change } : kept))
    this.#kept = { message: call.message, calls }
  }

  /** The casts name what this file wrote. */
  #read(runId: string, asking: Asking): readonly JournalCall[] {
    const rows = this.#sql
      .exec<CallRow>('SELECT * FROM tool_calls WHERE run_id = ? AND message = ?', runId, asking.seq)
      .toArray()
    return asked(runId, asking).map((call) => {
      const row = rows.find(({ ord }) => ord === call.ord)
      if (!row) return call
      return {
        ...call,
        effect: row.effect as Effect,
        state: row.state as CallState,
        tries: row.tries,
        startedAt: row.started_at,
        made: row.made === 1,
        content: row.content === null ? '' : (readStored<readonly [ToolContent]>(row.content)?.[0] ?? LOST),
        isError: row.is_error === 1,
        notes: row.notes === null ? [] : (readStored<ToolNote[]>(row.notes) ?? []),
      }
    })
  }

  /** How often the very same call was asked for earlier in this run, made or refused. */
  earlier({ runId, callKey: key, message }: JournalCall): number {
    return this.#finishedOf(runId).filter((call) => call.key === key && call.message !== message).length
  }

  /** Calls of the same tool that this run asked for before, made or refused; of those side by side the ones before it. */
  earlierOf({ runId, name, message, ord }: JournalCall): number {
    const before = this.#finishedOf(runId).filter(
      (call) => call.message !== message && call.key.startsWith(`${name} `),
    )
    const beside = this.#kept?.message === message ? this.#kept.calls : []
    return before.length + beside.filter((call) => call.name === name && call.ord < ord).length
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

  start(call: JournalCall, at: number, made: boolean): void {
    if (call.effect !== 'read')
      this.#sql.exec(
        `UPDATE tool_calls SET state = 'started', tries = tries + 1, started_at = ? WHERE ${THIS}`,
        at,
        ...keyOf(call),
      )
    this.#changed(call, { state: 'started', tries: call.tries + 1, startedAt: at, made })
  }

  /**
   * What was written down before a call and then not done: it was never made. Or it waited, and does no more. One that
   * reads may have no row to say so.
   */
  callOff(call: CallKey): void {
    this.#sql.exec(`UPDATE tool_calls SET state = 'planned' WHERE ${THIS}`, ...keyOf(call))
    this.#changed(call, { state: 'planned', made: false })
  }

  /** It waits for somebody's word. One that reads has a row from now on, too. */
  wait(call: JournalCall): void {
    this.#sql.exec(
      `INSERT INTO tool_calls (run_id, message, ord, name, call_key, effect, state, tries)
       VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0) ON CONFLICT DO UPDATE SET state = excluded.state`,
      ...keyOf(call),
      call.name,
      call.callKey,
      call.effect,
    )
    this.#changed(call, { state: 'waiting' })
  }

  finish(call: JournalCall, result: ToolResult, at: number): void {
    const { tries, startedAt, made, state } = this.now(call)
    this.#sql.exec(
      `INSERT INTO tool_calls
         (run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, made, is_error, notes,
          content)
       VALUES (?, ?, ?, ?, ?, ?, 'finished', ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at, made = excluded.made,
         is_error = excluded.is_error, notes = excluded.notes, content = excluded.content`,
      ...keyOf(call),
      call.name,
      call.callKey,
      call.effect,
      tries,
      startedAt,
      at,
      made ? 1 : 0,
      result.isError ? 1 : 0,
      result.notes ? JSON.stringify(result.notes) : null,
      JSON.stringify([result.content]),
    )
    if (state !== 'finished' && this.#finished?.runId === call.runId)
      this.#finished.calls.push({ key: call.callKey, message: call.message })
    const { content, isError, notes = [] } = result
    this.#changed(call, { state: 'finished', content, isError, notes })
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

  /** The last thing that the person was asked. */
  question(runId: string): Question | null {
    const asked = this.notes(runId).findLast((note) => note.type === 'question')
    if (!asked) return null
    const { kind, question, context, options } = asked
    return { kind, question, context, options }
  }

  /** By name, in the order of their first call; the first of them, for a model may make up as many as it likes. */
  counts(runId: string): readonly { name: string; calls: number; errors: number }[] {
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
