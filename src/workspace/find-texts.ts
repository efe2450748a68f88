// Finds texts by words. All texts are in an index of complete words. There is no index of prefixes, because
// it would take several times as much space as the texts, and the index of words would have to be read for
// every word with that prefix. For a prefix, a limited number of the newest texts is read instead.

import { beginsIn, matchOf, type Sought } from '../thread-search/terms.ts'
import {
  BEGINNING_BYTES_READ,
  BEGINNING_TEXTS_AT_ONCE,
  BEGINNING_TEXTS_READ,
  BEGINNING_THREADS_READ,
  THREAD_HITS_MAX,
} from './limits.ts'
import { TITLE_POSITION } from './title-position.ts'

interface Row extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly text: string
}

/**
 * Returns the IDs of matching texts. `owner` is null to search everybody's texts; otherwise some texts of
 * other owners may be included.
 */
export function textsWith(sql: SqlStorage, owner: string | null, sought: Sought): ReadonlySet<number> {
  const { terms, beginning } = sought
  const whole = sql.exec<{ id: number }>(
    `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${THREAD_HITS_MAX}`,
    matchOf(owner, terms),
  )
  const found = new Set([...whole].map(({ id }) => id))
  if (!beginning) return found
  const begins = beginsIn(beginning.of)
  let left = BEGINNING_BYTES_READ
  const texts =
    beginning.before.length > 0 ? textsWithTerms(sql, owner, beginning.before) : newest(sql, owner)
  for (const { id, text } of texts) {
    left -= text.length
    if (left < 0) break
    if (begins(text)) found.add(id)
  }
  return found
}

/**
 * The texts that contain all words before the prefix, newest first. Reads them in batches, so that no SQL
 * cursor stays open if the caller stops early.
 */
function* textsWithTerms(sql: SqlStorage, owner: string | null, terms: readonly string[]): Iterable<Row> {
  const ids = sql
    .exec<{ id: number }>(
      `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${BEGINNING_TEXTS_READ}`,
      matchOf(owner, terms),
    )
    .toArray()
    .map(({ id }) => id)
  for (let at = 0; at < ids.length; at += BEGINNING_TEXTS_AT_ONCE)
    yield* sql
      .exec<Row>(
        'SELECT texts.id, text FROM json_each(?) AS ids CROSS JOIN texts ON texts.id = ids.value',
        JSON.stringify(ids.slice(at, at + BEGINNING_TEXTS_AT_ONCE)),
      )
      .toArray()
}

/** The titles of the newest threads, then the newest messages of each of these threads. */
function* newest(sql: SqlStorage, owner: string | null): Iterable<Row> {
  const threads = sql
    .exec<{ id: string }>(
      `SELECT id FROM threads ${owner === null ? '' : 'WHERE owner = ?'} ORDER BY updated_at DESC, id DESC
       LIMIT ${BEGINNING_THREADS_READ}`,
      ...(owner === null ? [] : [owner]),
    )
    .toArray()
  yield* sql
    .exec<Row>(
      `SELECT texts.id, text FROM json_each(?) AS newest CROSS JOIN texts
       ON thread = newest.value AND position = ${TITLE_POSITION}`,
      JSON.stringify(threads.map(({ id }) => id)),
    )
    .toArray()
  let left = BEGINNING_TEXTS_READ
  for (const { id } of threads) {
    if (left === 0) return
    const texts = sql
      .exec<Row>(
        `SELECT id, text FROM texts WHERE thread = ? AND position > ${TITLE_POSITION} ORDER BY position DESC LIMIT ?`,
        id,
        Math.min(left, BEGINNING_TEXTS_AT_ONCE),
      )
      .toArray()
    left -= texts.length
    yield* texts
  }
}
