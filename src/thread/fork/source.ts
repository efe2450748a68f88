// Serves the source thread's side of a fork: the position of the cut, and the rows before it, page by page.
// Changes only the source's list of branches.

import { imagesOf, isFileImage } from '../../agent/message.ts'
import type { TodoItem } from '../../agent/todos.ts'
import type { ToolNote } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FORK_PAGE_MAX_BYTES } from './limits.ts'
import type { Parts, ThreadParts } from '../parts.ts'
import { hasTable, isOnDemand } from '../rows/on-demand.ts'
import { addBranch, removeBranch } from '../rows/branches.ts'
import type { Run } from '../rows/run.ts'
import { readStored } from '../rows/stored-json.ts'
import { ownerOf } from '../rows/thread-row.ts'
import { seenCatalogBefore, windowAt } from '../rows/windows.ts'
import { reportAndSetAlarm } from '../start/scheduler.ts'
import type { ForkCut, ForkHead, ForkPage, ForkCursor, ForkRow } from './api.ts'
import { COPIED_PARTS } from './copied-parts.ts'

type Refused = ReturnType<typeof fail>

function invalidMessageId(detail: string): Refused {
  const errors = [{ path: 'message_id', message: 'must name a message that a person wrote in this thread' }]
  return fail('invalid_request', detail, { errors })
}

/**
 * Finds the message by its ID. It must be the first message of a run and must not come from a webhook, so that
 * a person wrote it.
 */
function findCut(sql: SqlStorage, messageId: string): Result<Omit<ForkCut, 'images'>> {
  const [row] = sql
    .exec<{ seq: number; at: number; input: string | null }>(
      `SELECT seq, created_at AS at, input FROM messages AS message LEFT JOIN asks ON asks.id = run_id
       WHERE message.id = ? AND role = 'user'
         AND NOT EXISTS (SELECT 1 FROM messages WHERE run_id = message.run_id AND seq < message.seq)`,
      messageId,
    )
    .toArray()
  if (!row || row.input === null)
    return invalidMessageId(
      'message_id must name a message that a person wrote in this thread, as listed by GET /v1/threads/{id}/messages. Answers and tool results cannot be used.',
    )
  // Sending it again in the fork would turn untrusted content into a person's message.
  if (readStored<Run['ask']>(row.input)?.fenced !== false)
    return invalidMessageId('That message came from a webhook. Fork before a message that a person wrote.')
  return ok({ message: row.seq, at: row.at })
}

export function forkHead(
  { ctx, row, transcript }: Parts<'ctx' | 'row' | 'transcript'>,
  messageId: string,
  caller: Caller,
): Result<ForkHead> {
  const position = findCut(ctx.storage.sql, messageId)
  if (!position.ok) return position
  const { message } = position.value
  const images = transcript
    .withFileImages(message)
    .flatMap(({ content }) => imagesOf(content).filter(isFileImage))
    .map(({ source }) => source.object)
  const { title, titled, metadata, allow } = row.data
  const { model, chosenTools, catalogVersion } = windowAt(ctx.storage.sql, message)
  const seenCatalog = seenCatalogBefore(ctx.storage.sql, message)
  const { messages } = ctx.storage.sql
    .exec<{ messages: number }>('SELECT count(*) AS messages FROM messages WHERE seq < ?', message)
    .one()
  const cut = { ...position.value, images: [...new Set(images)] }
  return ok({
    cut,
    messages,
    root: ownerOf(caller) === row.data.owner ? row.data.root : null,
    bytes: copiedBytes(ctx.storage.sql, cut),
    data: {
      // An automatic title describes the first message, which a fork at the start replaces.
      title: messages === 0 && !titled ? '' : title,
      titled,
      metadata,
      model,
      allow,
      chosenTools,
      todos: todosAt(ctx.storage.sql, message),
      catalogVersion,
      seenVersion: seenCatalog.version,
      seenIndex: seenCatalog.index,
    },
  })
}

/** The plan before message number `before`, which its newest call wrote. */
function todosAt(sql: SqlStorage, before: number): readonly TodoItem[] | null {
  const [call] = sql
    .exec<{ notes: string }>(
      `SELECT notes FROM tool_calls WHERE name = 'write_todos' AND message < ? AND notes IS NOT NULL AND is_error = 0
       ORDER BY message DESC, ord DESC LIMIT 1`,
      before,
    )
    .toArray()
  const notes = readStored<readonly ToolNote[]>(call?.notes ?? '[]') ?? []
  return notes.flatMap((note) => (note.type === 'todos' ? [note.items] : []))[0] ?? null
}

/** Total size of the objects that COPIED_PARTS selects. Each object is counted once. */
function copiedBytes(sql: SqlStorage, { at, images }: ForkCut): number {
  return sql
    .exec<{ bytes: number }>(
      `SELECT coalesce(sum(bytes), 0) AS bytes FROM objects WHERE id IN (SELECT value FROM json_each(?1)
         UNION SELECT object FROM files WHERE created_at <= ?2)`,
      JSON.stringify(images),
      at,
    )
    .one().bytes
}

function sizeOf(row: ForkRow): number {
  return row.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length
    return sum + (value instanceof ArrayBuffer ? value.byteLength : 8)
  }, 0)
}

/** Returns at least one row, and stops once FORK_PAGE_MAX_BYTES is reached. */
export function forkRows({ ctx }: Parts<'ctx'>, cut: ForkCut, from: ForkCursor): ForkPage {
  const { sql } = ctx.storage
  const parts: { part: number; rows: ForkRow[] }[] = []
  let size = 0
  let { after } = from
  for (let part = from.part; part < COPIED_PARTS.length; part++) {
    const { select, key, tables } = COPIED_PARTS[part]! // `part` is less than the length
    if (tables.some((table) => isOnDemand(table) && !hasTable(sql, table))) continue
    const afterKey = after === null ? '' : `WHERE (${key}) > (${after.map(() => '?').join(', ')})`
    const query = `WITH cut (message, at, images) AS (VALUES (?, ?, ?))
      SELECT * FROM (${select}) ${afterKey} ORDER BY ${key}`
    const parameters = [cut.message, cut.at, JSON.stringify(cut.images), ...(after ?? [])]
    const rows: ForkRow[] = []
    parts.push({ part, rows })
    for (const row of sql.exec(query, ...parameters).raw()) {
      rows.push(row)
      size += sizeOf(row)
      if (size >= FORK_PAGE_MAX_BYTES)
        return { parts, next: { part, after: row.slice(0, key.split(',').length) } }
    }
    after = null
  }
  return { parts, next: null }
}

/**
 * Lists a fork of this thread. A fork by another person is not listed, because this thread's owner may not
 * see it.
 */
export async function registerBranch(
  thread: ThreadParts,
  caller: Caller,
  { threadId, messageId, at }: { readonly threadId: string; readonly messageId: string; readonly at: number },
): Promise<Result<null>> {
  if (ownerOf(caller) !== thread.row.data.owner) return ok(null)
  const { storage } = thread.ctx
  thread.atomically(() => {
    addBranch(storage.sql, threadId, messageId, at)
    thread.row.requestListing()
  })
  await storage.sync()
  thread.ctx.waitUntil(reportAndSetAlarm(thread))
  return ok(null)
}

/** Removes a fork from the list. `thread` is null if this thread no longer exists. */
export async function unregisterBranch(thread: ThreadParts | null, threadId: string): Promise<Result<null>> {
  if (!thread || thread.closing) return ok(null)
  if (!removeBranch(thread.ctx.storage.sql, threadId)) return ok(null)
  thread.row.requestListing()
  await thread.ctx.storage.sync()
  thread.ctx.waitUntil(reportAndSetAlarm(thread))
  return ok(null)
}
