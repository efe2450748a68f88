// Finds texts by words. All texts are in an index of complete words. There is no index of prefixes, because
// it would take several times as much space as the texts, and the index of words would have to be read for
// every word with that prefix. For a prefix, a limited number of the newest texts is read instead.

import { prefixMatcher, ftsQuery, type SearchQuery } from '../thread-search/terms.ts'
import {
  PREFIX_CHARS_READ_MAX,
  PREFIX_BATCH_TEXTS,
  PREFIX_TEXTS_READ_MAX,
  PREFIX_THREADS_READ_MAX,
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
export function findTextIds(sql: SqlStorage, owner: string | null, query: SearchQuery): ReadonlySet<number> {
  const { terms, prefix } = query
  const rows = sql.exec<{ id: number }>(
    `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${THREAD_HITS_MAX}`,
    ftsQuery(owner, terms),
  )
  const found = new Set([...rows].map(({ id }) => id))
  if (!prefix) return found
  const hasPrefix = prefixMatcher(prefix.text)
  let left = PREFIX_CHARS_READ_MAX
  const texts =
    prefix.otherTerms.length > 0 ? textsWithTerms(sql, owner, prefix.otherTerms) : newestTexts(sql, owner)
  for (const { id, text } of texts) {
    left -= text.length
    if (left < 0) break
    if (hasPrefix(text)) found.add(id)
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
      `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${PREFIX_TEXTS_READ_MAX}`,
      ftsQuery(owner, terms),
    )
    .toArray()
    .map(({ id }) => id)
  for (let at = 0; at < ids.length; at += PREFIX_BATCH_TEXTS)
    yield* sql
      .exec<Row>(
        'SELECT texts.id, text FROM json_each(?) AS ids CROSS JOIN texts ON texts.id = ids.value',
        JSON.stringify(ids.slice(at, at + PREFIX_BATCH_TEXTS)),
      )
      .toArray()
}

/** The titles of the newest threads, then the newest messages of each of these threads. */
function* newestTexts(sql: SqlStorage, owner: string | null): Iterable<Row> {
  const threads = sql
    .exec<{ id: string }>(
      `SELECT id FROM threads ${owner === null ? '' : 'WHERE owner = ?'} ORDER BY updated_at DESC, id DESC
       LIMIT ${PREFIX_THREADS_READ_MAX}`,
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
  let left = PREFIX_TEXTS_READ_MAX
  for (const { id } of threads) {
    if (left === 0) return
    const texts = sql
      .exec<Row>(
        `SELECT id, text FROM texts WHERE thread = ? AND position > ${TITLE_POSITION} ORDER BY position DESC LIMIT ?`,
        id,
        Math.min(left, PREFIX_BATCH_TEXTS),
      )
      .toArray()
    left -= texts.length
    yield* texts
  }
}
