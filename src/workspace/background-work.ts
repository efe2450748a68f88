// What a workspace does in its alarms: it deletes the data of users, and threads that nobody used for long. Each alarm does a part,
// and can be repeated. Imported when it is needed.

import { objects, type Env } from '../env/env.ts'
import type { Caller } from '../lib/caller.ts'
import { DAY_MS, rfc3339, systemClock } from '../lib/clock.ts'
import { pause } from '../lib/pause.ts'
import { redact } from '../lib/redact.ts'
import type { Result } from '../lib/result.ts'
import type { ScheduleApi } from '../schedules/api.ts'
import type { ThreadApi } from '../thread/api.ts'
import type { HookApi } from '../webhooks/api.ts'
import { compactIndex } from './compact-index.ts'
import { listHooks } from './hooks.ts'
import {
  BACKGROUND_RETRY_MS,
  RETENTION_INTERVAL_MS,
  RETENTION_PAUSE_MS,
  RETENTION_THREADS,
  USER_DELETION_AT_ONCE,
  USER_DELETION_MIN_MS,
  USER_DELETION_ROUND_PAUSE_MS,
  USER_DELETION_STALE_ROUNDS,
  USER_DELETION_THREADS,
} from './limits.ts'
import { listSchedules } from './schedules.ts'
import { ownedThreads } from './user-data.ts'
import {
  removeUserFromRuns,
  countRemoved,
  finishDeletion,
  nextDeletion,
  ownerOfUser,
  setProgress,
  type OpenDeletion,
} from './user-deletion.ts'

/** What only the workspace's object knows. */
export interface OwnPorts {
  /** Removes a listed thread that does not exist. */
  forget(threadId: string): Promise<unknown>
  openThreads(): readonly string[]
  /** Days; null if threads are kept. */
  readonly threadDays: number | null
  /** Rows of runs that ended before this time are not kept. */
  readonly runsKeptAfter: number
}

interface BackgroundPorts extends OwnPorts {
  readonly workspace: string
  readonly sql: SqlStorage
  readonly now: () => number
  transact<T>(work: () => T): T
  thread(id: string): Pick<ThreadApi, 'remove' | 'removeUnused'>
  hook(id: string): Pick<HookApi, 'forgetUser'>
  schedule(id: string): Pick<ScheduleApi, 'forgetUser'>
}

export function backgroundPorts(env: Env, storage: DurableObjectStorage, own: OwnPorts): BackgroundPorts {
  const { sql } = storage
  const { workspace } = sql.exec<{ workspace: string }>('SELECT workspace FROM background').one()
  const others = objects(env)
  return {
    ...own,
    workspace,
    sql,
    now: systemClock,
    transact: (work) => storage.transactionSync(work),
    thread: (id) => others.thread(workspace, id),
    hook: (id) => others.hook(id),
    schedule: (id) => others.schedule(workspace, id),
  }
}

/** Where the search for unused threads continues, and when. In memory: after a restart it begins again. */
export interface RetentionState {
  position: readonly [updatedAt: string, id: string]
  dueAt: number
}

/** Does what is due. Returns when to call it again, or null if never. */
export async function doBackgroundWork(
  ports: BackgroundPorts,
  retention: RetentionState,
): Promise<number | null> {
  const deletion = nextDeletion(ports.sql)
  if (deletion && deletion.due_at <= ports.now()) await continueDeletion(ports, deletion)
  if (ports.threadDays !== null && retention.dueAt <= ports.now())
    await deleteUnused(ports, retention, ports.threadDays)
  // Read after the last wait, because another deletion may have begun meanwhile.
  const times = [
    nextDeletion(ports.sql)?.due_at ?? null,
    ports.threadDays === null ? null : retention.dueAt,
  ].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

async function continueDeletion(ports: BackgroundPorts, deletion: OpenDeletion): Promise<void> {
  const { sql, now } = ports
  const { id, user } = deletion
  // If this alarm is interrupted, the next one is not at once.
  setProgress(sql, id, { due_at: now() + BACKGROUND_RETRY_MS })
  if (deletion.starters_done === 0 && !(await forgetInStarters(ports, deletion))) return
  const page = ownedThreads(sql, ownerOfUser(user), deletion.position, USER_DELETION_THREADS)
  for (let at = 0; at < page.length; at += USER_DELETION_AT_ONCE)
    await Promise.all(
      page.slice(at, at + USER_DELETION_AT_ONCE).map((thread) => deleteThread(ports, deletion, thread)),
    )
  if (page.length === USER_DELETION_THREADS) {
    // "~" sorts after every character of an ID.
    setProgress(sql, id, { position: `${page.at(-1)}~`, due_at: now() })
    return
  }
  const left = ownedThreads(sql, ownerOfUser(user), '', 1).length > 0
  if (left) {
    const due_at = now() + USER_DELETION_ROUND_PAUSE_MS
    setProgress(sql, id, { position: '', rounds: deletion.rounds + 1, due_at })
    return
  }
  // The pauses let the workspace serve others.
  for (let from: number | null = 0; from !== null; await pause(0)) from = removeUserFromRuns(sql, user, from)
  for (let isFirst = true; compactIndex(sql, isFirst); isFirst = false) await pause(0)
  const isDone = ports.transact(() => finishDeletion(sql, deletion, ports.runsKeptAfter, now()))
  const earliest = deletion.requested_at + USER_DELETION_MIN_MS
  if (!isDone) setProgress(sql, id, { position: '', due_at: Math.max(earliest, now()) })
}

/** The alarm acts as an admin of this workspace. */
function admin(workspace: string): Caller {
  return { workspace, keyId: 'system', role: 'admin', user: null }
}

async function deleteThread(ports: BackgroundPorts, { rounds }: OpenDeletion, id: string): Promise<void> {
  const removed = await attempt(() => ports.thread(id).remove(admin(ports.workspace)))
  const isMissing = removed !== null && !removed.ok && removed.error.code === 'not_found'
  // The deletion of a thread may be in progress, and will report its last runs.
  if (isMissing && rounds >= USER_DELETION_STALE_ROUNDS) await ports.forget(id)
}

/** Lets hooks and schedules that act for the user act for nobody. Returns false if one of them did not answer. */
async function forgetInStarters(ports: BackgroundPorts, { id, user }: OpenDeletion): Promise<boolean> {
  const { sql, workspace } = ports
  for (const [kind, starters] of [
    ['hooks', listHooks(sql).map((hook) => ports.hook(hook.id))],
    ['schedules', listSchedules(sql).map((schedule) => ports.schedule(schedule.id))],
  ] as const)
    for (const starter of starters) {
      const answer = await attempt(() => starter.forgetUser(workspace, user))
      if (answer === null) return false
      if (answer.ok && answer.value) countRemoved(sql, id, { [kind]: 1 })
    }
  setProgress(sql, id, { starters_done: 1 })
  return true
}

/** Null if there is no answer. */
async function attempt<T>(call: () => Promise<Result<T>>): Promise<Result<T> | null> {
  try {
    return await call()
  } catch (error) {
    console.warn(JSON.stringify({ at: 'workspace.background', error: redact(String(error)) }))
    return null
  }
}

/** Deletes threads that were last used before the days that the setting allows, the oldest first. Each thread decides by itself. */
async function deleteUnused(ports: BackgroundPorts, state: RetentionState, days: number): Promise<void> {
  const before = ports.now() - days * DAY_MS
  const rows = ports.sql
    .exec<{ id: string; updated_at: string }>(
      `SELECT id, updated_at FROM threads WHERE (updated_at, id) > (?, ?) AND updated_at < ?
       ORDER BY updated_at, id LIMIT ${RETENTION_THREADS}`,
      ...state.position,
      rfc3339(before),
    )
    .toArray()
  const open = new Set(ports.openThreads())
  for (const { id } of rows) if (!open.has(id)) await attempt(() => ports.thread(id).removeUnused(before))
  const last = rows.at(-1)
  const isAll = rows.length < RETENTION_THREADS || !last
  state.position = isAll ? ['', ''] : [last.updated_at, last.id]
  state.dueAt = ports.now() + (isAll ? RETENTION_INTERVAL_MS : RETENTION_PAUSE_MS)
}
