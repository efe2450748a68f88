// Reports a thread's newest state and the usage of its runs to the workspace, with retries. Also reports to
// the catalog, without retries, which skills the runs used. Only this file writes the `recorded` column,
// which Run omits.

import { textOf } from '../../agent/message.ts'
import { utf8 } from '../../lib/bytes.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { logText } from '../../lib/redact.ts'
import { cutBytes } from '../../lib/text.ts'
import {
  REPORT_PAUSE_MAX_MS,
  REPORT_PAUSE_MIN_MS,
  REPORT_PAUSE_FACTOR,
  REPORT_TEXTS_MAX_BYTES,
  THREAD_TEXT_MAX_BYTES,
  REPORT_TEXTS_MAX,
} from './limits.ts'
import type { Listeners, TextRecord } from '../../workspace/api.ts'
import type { Parts } from '../parts.ts'
import { isEmpty } from '../rows/empty-thread.ts'
import { recordOf } from '../rows/run-charges.ts'
import { toStoredValue } from '../rows/columns.ts'
import { OPEN_STATUSES_SQL, runOf, SELECT_RUNS, type Run, type RunRow } from '../rows/run.ts'
import { announceToListeners, announceWait, passOn } from './announce.ts'
import { threadInfo, waitingApprovals } from './info.ts'
import { skillsOf } from './receipt.ts'

type Thread = Parts<
  | 'ctx'
  | 'row'
  | 'runs'
  | 'loads'
  | 'approvals'
  | 'waits'
  | 'transcript'
  | 'journal'
  | 'closing'
  | 'atomically',
  'workspace' | 'countUses' | 'now' | 'endpoint'
>

/** The oldest runs that are not yet reported to the workspace. Includes open runs if `includeOpen` is true. */
export function unreportedRuns(sql: SqlStorage, includeOpen: boolean): readonly Run[] {
  return runsWhere(sql, includeOpen ? 'recorded = 0' : `recorded = 0 AND status NOT IN ${OPEN_STATUSES_SQL}`)
}

/** The term on the left lets SQLite use the index of unreported runs. */
function runsWhere(sql: SqlStorage, condition: string): readonly Run[] {
  const rows = sql.exec<RunRow>(`${SELECT_RUNS} WHERE recorded <> 1 AND ${condition} ORDER BY ord LIMIT 20`)
  return rows.toArray().map(runOf)
}

/** Returns true only for the call that set the mark. If the run was rated meanwhile, the rating is still to be reported. */
export function markReported(sql: SqlStorage, { id, rating }: Run): boolean {
  const rows = sql.exec(
    'UPDATE runs SET recorded = CASE WHEN rating IS ? THEN 1 ELSE 2 END WHERE id = ? AND recorded = 0 RETURNING id',
    toStoredValue(rating),
    id,
  )
  return rows.toArray().length > 0
}

/** Marks the rating of a reported run as not reported. Must be called in the block that changes the rating. */
export function markRated(sql: SqlStorage, id: string): void {
  sql.exec('UPDATE runs SET recorded = 2 WHERE id = ? AND recorded = 1', id)
}

/** Reports ratings of runs that were reported without them. Returns false if the workspace refuses. */
async function reportRatings({ ctx, row, ports }: Thread): Promise<boolean> {
  const { sql } = ctx.storage
  for (const { id, rating } of runsWhere(sql, 'recorded = 2')) {
    const answer = await ports.workspace(row.data.workspace).rateRun(id, rating?.value ?? null)
    if (!answer.ok) return false
    // If the rating has changed again meanwhile, another report follows.
    sql.exec('UPDATE runs SET recorded = 1 WHERE id = ? AND rating IS ?', id, toStoredValue(rating))
  }
  return runsWhere(sql, 'recorded = 2').length === 0
}

/**
 * Reports after `ms`, unless the thread has been deleted by then. Runs in the background; the alarm repeats
 * it after a crash.
 */
export async function reportLater(thread: Thread, ms: number): Promise<boolean> {
  await pause(ms)
  return thread.closing || reportToWorkspace(thread)
}

/** Returns true when nothing is left to report. Never throws: the alarm tries again. */
export async function reportToWorkspace(thread: Thread): Promise<boolean> {
  try {
    const { ctx, row, ports } = thread
    // Threads without a message are not listed.
    if (isEmpty(thread)) return true
    const { changeCount } = row
    const { sql } = ctx.storage
    const record = { owner: row.data.owner, made_by: row.data.madeBy, info: threadInfo(thread) }
    const workspace = ports.workspace(row.data.workspace)
    const report = async (run: Run | null): Promise<boolean> => {
      const batch = unreportedTexts(thread)
      const answer = await workspace.record(
        { ...record, texts: batch.texts },
        run === null ? null : recordOf(run, row.data.user, skillsOf(thread, run), ports.now()),
      )
      if (!answer.ok) return false
      if (run !== null && markEndReported(thread, run, answer.value)) ctx.waitUntil(countUses(thread, run))
      // A run may have begun meanwhile, so only the reported state is marked as reported.
      row.markReported(batch.upTo, row.changeCount === changeCount && !batch.hasMore)
      return true
    }
    for (const run of unreportedRuns(sql, false)) if (!(await report(run))) return false
    if (unreportedRuns(sql, false).length > 0) return false
    if (!(await reportRatings(thread))) return false
    if (!(await reportApprovals(thread))) return false
    // An endpoint that does not answer must not delay the list.
    const passed = await passOn(ctx, ports, row.data.workspace)
    while (!row.listed) {
      const startedAt = ports.now()
      if (thread.closing || !(await report(null))) return false
      // The state changed during the report. The code that changed it will report it.
      if (row.changeCount !== changeCount) return passed
      if (!row.listed) await leaveTime(ports.now() - startedAt)
    }
    return passed
  } catch {
    return false
  }
}

/** Marks the run as reported, and writes its end for the workspace's endpoints in the same block. */
function markEndReported(thread: Thread, run: Run, listeners: Listeners): boolean {
  const { sql } = thread.ctx.storage
  if (listeners === null) return markReported(sql, run)
  return thread.atomically(() => {
    const isFirst = markReported(sql, run)
    if (isFirst) announceToListeners(thread, run, listeners)
    return isFirst
  })
}

function leaveTime(tookMs: number): Promise<void> {
  return pause(Math.min(Math.max(REPORT_PAUSE_MIN_MS, tookMs * REPORT_PAUSE_FACTOR), REPORT_PAUSE_MAX_MS))
}

/**
 * The first texts for search that were not reported yet. A fork's copied texts are reported only after its own
 * first message; until then, a search for them finds the source thread.
 */
export function unreportedTexts({ row, runs, transcript }: Parts<'row' | 'runs' | 'transcript'>): {
  readonly texts: readonly TextRecord[]
  readonly upTo: number
  readonly hasMore: boolean
} {
  const { textsReported } = row.data
  if (row.data.forkedFrom && runs.isEmpty) return { texts: [], upTo: textsReported, hasMore: false }
  const messages = transcript.messagesAfter(textsReported, REPORT_TEXTS_MAX)
  const texts: TextRecord[] = []
  let bytes = 0
  for (const { seq, message } of messages) {
    const text = cutBytes(textOf(message), THREAD_TEXT_MAX_BYTES)
    if (text.trim() !== '') texts.push({ position: seq, text })
    bytes += utf8(text).length
    if (bytes > REPORT_TEXTS_MAX_BYTES) return { texts, upTo: seq, hasMore: true }
  }
  return { texts, upTo: messages.at(-1)?.seq ?? textsReported, hasMore: messages.length === REPORT_TEXTS_MAX }
}

/** Reports the waiting approvals if they changed. Rejects when the workspace is unreachable. */
async function reportApprovals(thread: Thread): Promise<boolean> {
  const { row, runs, ports } = thread
  const { id, workspace, owner, createdAt, approvalsChange: change, approvalsReported } = row.data
  if (change === approvalsReported) return true
  const run = runs.current()
  const approvals = waitingApprovals(thread, run?.id ?? null)
  const waiting = { thread: id, owner, created_at: rfc3339(createdAt), change, approvals }
  const answer = await ports.workspace(workspace).recordApprovals(waiting)
  if (thread.closing) return false
  // If the approvals changed again meanwhile, another report follows.
  if (answer.ok)
    thread.atomically(() => {
      row.markApprovalsReported(change)
      // If the run has already resumed, its wait is not announced.
      if (row.data.approvalsChange === change) announceWait(thread, run, change, answer.value)
    })
  return answer.ok && row.data.approvalsChange === change
}

/**
 * Counts the skills of a run, unless it ended before any model call; otherwise anyone who may chat could
 * raise the counts at no cost. Called after the run was marked as reported, and the mark is on disk before the
 * request is sent. A crash in between, or an unavailable catalog, loses one count, but no run is counted
 * twice. Never throws.
 */
async function countUses({ row, loads, ports }: Thread, run: Run): Promise<void> {
  if (run.modelCalls === 0) return
  try {
    const names = new Set(loads.ofRun(run.id).map(({ name }) => name))
    const { workspace, owner } = row.data
    if (names.size > 0) await ports.countUses(workspace, run.build, [...names], owner)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.skill_use', error: logText(error) }))
  }
}
