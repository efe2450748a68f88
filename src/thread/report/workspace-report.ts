// Reports a thread's newest state and what its runs used to the workspace, again until it was heard; and to the catalog,
// once, which skills those were. The only writer of the mark that a run was reported, which no Run carries.

import { textOf } from '../../agent/message.ts'
import { utf8 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { redact } from '../../lib/redact.ts'
import { cutBytes } from '../../lib/text.ts'
import {
  REPORT_REST_CAP_MS,
  REPORT_REST_MS,
  REPORT_REST_TIMES,
  THREAD_REPORT_TEXT_BYTES,
  THREAD_TEXT_BYTES,
  THREAD_TEXTS_A_REPORT,
} from './limits.ts'
import type { TextRecord } from '../../workspace/api.ts'
import type { Parts } from '../parts.ts'
import { isEmpty } from '../rows/empty.ts'
import { recordOf } from '../rows/charged.ts'
import { OPEN_RUNS, runOf, SELECT_RUNS, type Run, type RunRow } from '../rows/run.ts'
import { threadInfo, waitingApprovals } from './info.ts'

type Thread = Parts<
  'ctx' | 'row' | 'runs' | 'loads' | 'approvals' | 'transcript' | 'closing',
  'workspace' | 'countUses' | 'now'
>

/** Runs that the workspace has yet to hear of, oldest first, the first of them; those that are open, too: `all`. */
export function unreported(sql: SqlStorage, all: boolean): readonly Run[] {
  const ended = all ? '' : `AND status NOT IN ${OPEN_RUNS}`
  const rows = sql.exec<RunRow>(`${SELECT_RUNS} WHERE recorded = 0 ${ended} ORDER BY ord LIMIT 20`)
  return rows.toArray().map(runOf)
}

/** True for the call that marked it. */
export function markReported(sql: SqlStorage, id: string): boolean {
  const marked = sql.exec('UPDATE runs SET recorded = 1 WHERE id = ? AND recorded = 0 RETURNING id', id)
  return marked.toArray().length > 0
}

/** The same after `ms`, unless the thread is deleted by then. For what nobody waits for; the alarm is its safety net. */
export async function reportBehind(thread: Thread, ms: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return thread.closing || reportToWorkspace(thread)
}

/** True when nothing is left to report. Never throws: the alarm tries again. */
export async function reportToWorkspace(thread: Thread): Promise<boolean> {
  try {
    const { ctx, row, out } = thread
    // Nobody is to find a thread in the list that holds nothing to read.
    if (isEmpty(thread)) return true
    const { changes } = row
    const { sql } = ctx.storage
    const record = { owner: row.data.owner, made_by: row.data.madeBy, info: threadInfo(thread) }
    const workspace = out.workspace(row.data.workspace)
    const tell = async (run: Run | null): Promise<boolean> => {
      const said = messagesSince(thread)
      const heard = await workspace.record(
        { ...record, texts: said.texts },
        run === null ? null : recordOf(run),
      )
      if (!heard.ok) return false
      if (run !== null && markReported(sql, run.id)) ctx.waitUntil(countUses(thread, run))
      // A run may have begun meanwhile: only what was reported is marked as that.
      row.heard(said.to, row.changes === changes && !said.more)
      return true
    }
    for (const run of unreported(sql, false)) if (!(await tell(run))) return false
    if (unreported(sql, false).length > 0) return false
    if (!(await reportApprovals(thread))) return false
    while (!row.listed) {
      const since = out.now()
      if (thread.closing || !(await tell(null))) return false
      // Who changed it meanwhile reports that.
      if (row.changes !== changes) return true
      if (!row.listed) await rest(out.now() - since)
    }
    return true
  } catch {
    return false
  }
}

function rest(tookMs: number): Promise<void> {
  const ms = Math.min(Math.max(REPORT_REST_MS, tookMs * REPORT_REST_TIMES), REPORT_REST_CAP_MS)
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Texts for search that the workspace has yet to hear of, the first of them. Copied texts are reported once their fork has a message
 * of its own: until then the thread that it was made from is found by them.
 */
export function messagesSince({ row, runs, transcript }: Parts<'row' | 'runs' | 'transcript'>): {
  readonly texts: readonly TextRecord[]
  readonly to: number
  readonly more: boolean
} {
  const { textsHeard } = row.data
  if (row.data.forkedFrom && runs.none) return { texts: [], to: textsHeard, more: false }
  const said = transcript.messagesAfter(textsHeard, THREAD_TEXTS_A_REPORT)
  const texts: TextRecord[] = []
  let bytes = 0
  for (const { seq, said: message } of said) {
    const text = cutBytes(textOf(message), THREAD_TEXT_BYTES)
    if (text.trim() !== '') texts.push({ place: seq, text })
    bytes += utf8(text).length
    if (bytes > THREAD_REPORT_TEXT_BYTES) return { texts, to: seq, more: true }
  }
  return { texts, to: said.at(-1)?.seq ?? textsHeard, more: said.length === THREAD_TEXTS_A_REPORT }
}

/** What waits for a person by now, told where it changed since. Rejects when the workspace cannot be reached. */
async function reportApprovals(thread: Thread): Promise<boolean> {
  const { row, runs, out } = thread
  const { id, workspace, owner, createdAt, approvalsChange: change, approvalsHeard } = row.data
  if (change === approvalsHeard) return true
  const approvals = waitingApprovals(thread, runs.current()?.id ?? null)
  const waiting = { thread: id, owner, created_at: rfc3339(createdAt), change, approvals }
  const heard = await out.workspace(workspace).recordApprovals(waiting)
  if (thread.closing) return false
  // More may have changed meanwhile: then there is another report to come.
  if (heard.ok) row.approvalsHeard(change)
  return heard.ok && row.data.approvalsChange === change
}

/**
 * A run that ended before the model was asked used nothing: else whoever may chat could count for free. Behind the mark
 * that the run was reported, which is on disk before this call leaves: a crash in between, or a catalog that is away,
 * loses one count, and none is made twice. Never throws.
 */
async function countUses({ row, loads, out }: Thread, run: Run): Promise<void> {
  if (run.modelCalls === 0) return
  try {
    const names = new Set(loads.of(run.id).map(({ name }) => name))
    const { workspace, owner } = row.data
    if (names.size > 0) await out.countUses(workspace, run.build, [...names], owner)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.uses', error: redact(String(error)) }))
  }
}
