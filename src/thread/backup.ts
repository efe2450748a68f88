// Backs up a thread, and restores one. A restored thread is marked like an unfinished fork until all its rows are there; its
// open runs then end, because nobody knows what they did since. Imported when it is needed.

import type { RestoredPage, RowsPage } from '../backup/api.ts'
import { readRows } from '../backup/read.ts'
import { restorePage } from '../backup/restore.ts'
import { prefixOf } from '../files/store.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { insertDeletionMark, removeDeletionMark } from './deletion.ts'
import { finish } from './executor/finish.ts'
import type { ThreadHolder } from './holder.ts'
import type { ThreadParts } from './parts.ts'
import { hasTable } from './rows/on-demand.ts'
import { THREAD_MIGRATIONS, THREAD_TABLES } from './rows/schema.ts'
import { reportAndSetAlarm } from './start/scheduler.ts'

const NOT_CONTINUED =
  'The run was open when the thread was backed up. A restored run does not continue. Send the message again.'
const NOT_SENT = 'It was waiting to be sent when the thread was backed up, and the restore did not send it.'

export function backupRows({ thread, ctx }: ThreadHolder, cursor: string | null): Result<RowsPage> {
  if (!thread || thread.closing) return fail('not_found', 'There is no such thread.')
  return readRows(ctx.storage.sql, THREAD_TABLES, cursor)
}

export async function restoreThread(holder: ThreadHolder, page: RestoredPage): Promise<Result<null>> {
  const { ctx, ports } = holder
  const [workspace = '', id = ''] = (ctx.id.name ?? '').split('/')
  const opened: ThreadParts[] = []
  const restored = restorePage(
    {
      storage: ctx.storage,
      tables: THREAD_TABLES,
      migrations: THREAD_MIGRATIONS,
      name: `${workspace}/${id}`,
      isRestoring: (sql) => sql.exec('SELECT 1 FROM deletion WHERE draft = 1').toArray().length > 0,
      mark: (sql) => {
        removeDeletionMark(sql)
        insertDeletionMark(sql, { id, workspace, at: ports.now(), draft: 1 })
      },
      nameOf: (sql) => nameIn(sql, prefixOf(workspace, id)),
      complete: () => opened.push(holder.commitDraft(bringToRest)),
    },
    page,
  )
  const [thread] = opened
  if (!restored.ok || !thread) return restored
  await thread.log.sync()
  await reportAndSetAlarm(thread)
  return ok(null)
}

/** The name of the thread's object; null if a file is not under `prefix`. */
function nameIn(sql: SqlStorage, prefix: string): string | null {
  const names = sql.exec<{ name: string }>("SELECT workspace || '/' || id AS name FROM thread").toArray()
  const others = 'SELECT 1 FROM objects WHERE substr(key, 1, ?) <> ? LIMIT 1'
  const hasOthers = sql.exec(others, prefix.length, prefix).toArray().length > 0
  return hasOthers ? null : (names[0]?.name ?? null)
}

/** Ends open runs and replies. Nobody is notified, because the deployment of the backup does that. */
function bringToRest(thread: ThreadParts): void {
  const { sql } = thread.ctx.storage
  if (hasTable(sql, 'replies')) {
    sql.exec(
      "UPDATE replies SET detail = ?, state = iif(state = 'sending', 'unknown', 'failed') WHERE state IN ('waiting', 'sending')",
      NOT_SENT,
    )
    sql.exec('UPDATE replies SET unreported = 0 WHERE unreported = 1')
  }
  const nextOpen = (): string | undefined => (thread.runs.current() ?? thread.runs.nextQueued())?.id
  for (let run = nextOpen(); run !== undefined; run = nextOpen())
    finish(thread, run, 'failed', 'internal', NOT_CONTINUED)
  if (hasTable(sql, 'outbox')) sql.exec('DELETE FROM outbox')
}
