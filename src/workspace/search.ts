// The search index of thread texts: titles, and the beginning of each message. A text is kept while its
// thread is listed, unless a size limit removes the oldest texts. Never calls a thread.

import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import {
  SEARCH_ROW_HEADER_MAX_BYTES,
  SEARCH_SHARE_PER_API_KEY_DIVISOR,
  SEARCH_TEXT_SURCHARGE_BYTES,
  DROPPED_TEXTS_THREADS_MAX,
  SQLITE_PAGE_BYTES,
  DROPPED_TEXTS_MAX,
} from './limits.ts'
import type { ThreadSettings } from '../settings/settings.ts'
import type { Page, ThreadInfo } from '../thread/api.ts'
import type { TextRecord, ThreadHit } from './api.ts'
import { toIndexedText, parseSearchQuery } from '../thread-search/terms.ts'
import { utf8 } from '../lib/bytes.ts'
import { findTextIds } from './find-texts.ts'
import { TITLE_POSITION } from './title-position.ts'

export type TextLimits = Pick<ThreadSettings, 'max_thread_search_bytes' | 'max_search_bytes'>

interface ThreadTexts {
  readonly id: string
  readonly owner: string
  /** Null if the title has not changed. */
  readonly title: string | null
  readonly texts: readonly TextRecord[]
}

/**
 * Adds texts of a listed thread. Idempotent: a message's text never changes, and the newest title replaces
 * the last one.
 */
export function storeTexts(
  sql: SqlStorage,
  { id, owner, title, texts }: ThreadTexts,
  { max_thread_search_bytes, max_search_bytes }: TextLimits,
): void {
  if (title !== null) storeTitle(sql, id, owner, title)
  let added = 0
  for (const { position, text } of texts) added += insertText(sql, id, owner, position, text)
  if (added === 0) return
  const { key, droppedUpTo, ...sums } = addToSums(sql, id, added)
  const threadExcess = sums.threadBytes - max_thread_search_bytes
  const droppedOfThread =
    threadExcess > 0 ? dropMessages(sql, 'thread = ?', 'position', [id], threadExcess).dropped : 0
  const keyExcess =
    sums.keyBytes - droppedOfThread - Math.ceil(max_search_bytes / SEARCH_SHARE_PER_API_KEY_DIVISOR)
  const droppedOfKey = keyExcess > 0 ? dropMessagesOfKey(sql, key, keyExcess) : 0
  const totalExcess = sums.totalBytes - droppedOfThread - droppedOfKey - max_search_bytes
  if (totalExcess <= 0) return
  const { last } = dropMessages(sql, 'id > ?', 'id', [droppedUpTo], totalExcess)
  if (last !== null) sql.exec('UPDATE text_total SET gone = ?', last)
}

interface TextSums {
  /** Bytes of the texts of the thread, of all threads of its key, and of the workspace. */
  readonly threadBytes: number
  readonly keyBytes: number
  readonly totalBytes: number
  readonly key: string
  readonly droppedUpTo: number
}

/** Adds to the sums, and returns the new sums. */
function addToSums(sql: SqlStorage, thread: string, bytes: number): TextSums {
  const { threadBytes, key } = sql
    .exec<{ threadBytes: number; key: string }>(
      'UPDATE threads SET text_bytes = text_bytes + ? WHERE id = ? RETURNING text_bytes AS threadBytes, made_by AS key',
      bytes,
      thread,
    )
    .one()
  const { keyBytes } = sql
    .exec<{ keyBytes: number }>(
      'UPDATE key_threads SET text_bytes = text_bytes + ? WHERE key = ? RETURNING text_bytes AS keyBytes',
      bytes,
      key,
    )
    .one()
  const total = sql
    .exec<{ totalBytes: number; droppedUpTo: number }>(
      'UPDATE text_total SET bytes = bytes + ? RETURNING bytes AS totalBytes, gone AS droppedUpTo',
      bytes,
    )
    .one()
  return { threadBytes, keyBytes, key, ...total }
}

/**
 * Drops texts of a key's threads, starting with the longest inactive one. Returns how many bytes were
 * dropped.
 */
function dropMessagesOfKey(sql: SqlStorage, key: string, excess: number): number {
  const threads = sql
    .exec<{ id: string }>(
      `SELECT id FROM threads WHERE made_by = ? AND text_bytes > 0 ORDER BY updated_at
       LIMIT ${DROPPED_TEXTS_THREADS_MAX}`,
      key,
    )
    .toArray()
  let bytesLeft = excess
  for (const { id } of threads) {
    if (bytesLeft <= 0) break
    bytesLeft -= dropMessages(sql, 'thread = ?', 'position', [id], bytesLeft).dropped
  }
  return excess - bytesLeft
}

/**
 * Drops the first of the selected messages, in this order, until `excess` bytes or DROPPED_TEXTS_MAX
 * messages are dropped. Titles are never dropped, because they are few and short. Returns the ID of the last
 * dropped message, and how many bytes were dropped.
 */
function dropMessages(
  sql: SqlStorage,
  where: string,
  order: 'id' | 'position',
  parameters: readonly SqlStorageValue[],
  excess: number,
): { readonly last: number | null; readonly dropped: number } {
  const rows = sql
    .exec<{ id: number; thread: string; bytes: number }>(
      `SELECT id, thread, bytes FROM texts WHERE ${where} AND position <> ${TITLE_POSITION} ORDER BY ${order}
       LIMIT ${DROPPED_TEXTS_MAX}`,
      ...parameters,
    )
    .toArray()
  let bytesLeft = excess
  let last: number | null = null
  for (const { id, thread, bytes } of rows) {
    if (bytesLeft <= 0) break
    sql.exec('DELETE FROM words WHERE rowid = ?', id)
    sql.exec('DELETE FROM texts WHERE id = ?', id)
    addToSums(sql, thread, -bytes)
    bytesLeft -= bytes
    last = id
  }
  return { last, dropped: excess - bytesLeft }
}

function storeTitle(sql: SqlStorage, thread: string, owner: string, title: string): void {
  const [before] = sql
    .exec<{ id: number; text: string }>(
      'SELECT id, text FROM texts WHERE thread = ? AND position = ?',
      thread,
      TITLE_POSITION,
    )
    .toArray()
  if ((before?.text ?? '') === title) return
  if (before) {
    sql.exec('DELETE FROM words WHERE rowid = ?', before.id)
    sql.exec('DELETE FROM texts WHERE id = ?', before.id)
  }
  if (title !== '') insertText(sql, thread, owner, TITLE_POSITION, title)
}

/** Returns how many bytes the text and its index terms take in the store; 0 if it was already stored. */
function insertText(sql: SqlStorage, thread: string, owner: string, position: number, text: string): number {
  const [inserted] = sql
    .exec<{ id: number }>(
      'INSERT INTO texts (thread, position, bytes, text) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING RETURNING id',
      thread,
      position,
      text,
    )
    .toArray()
  if (!inserted) return 0
  const index = toIndexedText(owner, text)
  const bytes = storedSize(text) + index.bytes
  sql.exec('UPDATE texts SET bytes = ? WHERE id = ?', bytes, inserted.id)
  sql.exec('INSERT INTO words (rowid, text) VALUES (?, ?)', inserted.id, index.terms)
  return bytes
}

/** An upper bound: a row that takes more than half a page may have the page to itself. */
function storedSize(text: string): number {
  const bytes = utf8(text).length
  const sizeOnPage = bytes > SQLITE_PAGE_BYTES / 2 - SEARCH_ROW_HEADER_MAX_BYTES ? SQLITE_PAGE_BYTES : bytes
  return SEARCH_TEXT_SURCHARGE_BYTES + Math.max(bytes, sizeOnPage)
}

/**
 * Removes the index terms of a thread's texts, and its part of the sum. Must be called before the texts are
 * removed.
 */
export function removeFromIndex(sql: SqlStorage, thread: string): void {
  sql.exec('DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE thread = ?)', thread)
  sql.exec(
    `UPDATE text_total SET bytes = bytes - (SELECT coalesce(sum(bytes), 0) FROM texts
       WHERE thread = ? AND position <> ${TITLE_POSITION})`,
    thread,
  )
}

/**
 * Lists threads whose title, or one of whose messages, contains all the words, newest first. If too many
 * messages match, only the newest ones count. Texts are returned in full, because cutting excerpts would take
 * too long in an object that serves the whole workspace. If `owner` is null, everybody's threads are
 * searched.
 */
export function searchThreads(
  sql: SqlStorage,
  owner: string | null,
  question: string,
  cursor: string | null,
  limit: number,
): Result<Page<ThreadHit>> {
  // "~" sorts after every time and ID.
  const before = cursor === null ? (['~', '~'] as const) : decodeCursor(cursor, ['string', 'string'])
  if (!before) return err(BAD_CURSOR)
  const query = parseSearchQuery(question)
  if (query === null) return ok({ data: [], next_cursor: null })
  const rows = sql
    .exec<{ id: string; updated_at: string; info: string; text: string | null }>(
      `WITH matches AS (
         SELECT thread, max(CASE WHEN position <> ${TITLE_POSITION} THEN texts.id END) AS text_id
         FROM json_each(?1) AS hits CROSS JOIN texts ON texts.id = hits.value GROUP BY thread
       )
       SELECT threads.id, updated_at, info, text
       FROM matches JOIN threads ON threads.id = matches.thread LEFT JOIN texts ON texts.id = text_id
       WHERE (updated_at, threads.id) < (?2, ?3) AND (?5 IS NULL OR owner = ?5)
       ORDER BY updated_at DESC, threads.id DESC LIMIT ?4`,
      JSON.stringify([...findTextIds(sql, owner, query)]),
      before[0],
      before[1],
      limit + 1,
      owner,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ updated_at, id }) => [updated_at, id])
  return ok({
    data: data.map(({ info, text }) => ({
      // The cast is safe: only record() writes this column.
      ...(JSON.parse(info) as ThreadInfo),
      text,
    })),
    next_cursor,
  })
}
