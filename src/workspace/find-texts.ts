// Finds texts by words. All texts are in an index of complete words. There is no index of prefixes, because
// it would take several times as much space as the texts, and a search would have to read the index of words for
// every word with that prefix. Instead, a limited number of the newest texts is read and compared with the prefix. If
// the query has other words, only texts that contain them are read. Searches the database of the workspace.

import { prefixMatcher, ftsQuery, type SearchQuery } from '../thread-search/terms.ts'
import {
  PREFIX_SEARCH_CHARS_READ_MAX,
  PREFIX_SEARCH_BATCH_TEXTS,
  PREFIX_SEARCH_TEXTS_READ_MAX,
  PREFIX_SEARCH_THREADS_READ_MAX,
  SEARCH_MATCHES_READ_MAX,
} from './limits.ts'
import { TITLE_POSITION } from './title-position.ts'

interface TextRow extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly text: string
}

/**
 * Returns the ids of matching texts. If `owner` is null, searches everybody's texts. Otherwise the caller must
 * still filter by owner: two owners may have the same tag in the index.
 */
export function findTextIds(sql: SqlStorage, owner: string | null, query: SearchQuery): ReadonlySet<number> {
  const { terms, prefix } = query
  const rows = sql.exec<{ id: number }>(
    `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${SEARCH_MATCHES_READ_MAX}`,
    ftsQuery(owner, terms),
  )
  const textIds = new Set([...rows].map(({ id }) => id))
  if (!prefix) return textIds
  const hasWordWithPrefix = prefixMatcher(prefix.text)
  let charsLeft = PREFIX_SEARCH_CHARS_READ_MAX
  const texts =
    prefix.otherTerms.length > 0 ? textsWithTerms(sql, owner, prefix.otherTerms) : newestTexts(sql, owner)
  for (const { id, text } of texts) {
    charsLeft -= text.length
    if (charsLeft < 0) break
    if (hasWordWithPrefix(text)) textIds.add(id)
  }
  return textIds
}

/**
 * The texts that contain all terms except the prefix, newest first: the join keeps the order of json_each.
 * Reads them in batches, so that no SQL cursor stays open if the caller stops early.
 */
function* textsWithTerms(sql: SqlStorage, owner: string | null, terms: readonly string[]): Iterable<TextRow> {
  const ids = sql
    .exec<{ id: number }>(
      `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${PREFIX_SEARCH_TEXTS_READ_MAX}`,
      ftsQuery(owner, terms),
    )
    .toArray()
    .map(({ id }) => id)
  for (let start = 0; start < ids.length; start += PREFIX_SEARCH_BATCH_TEXTS)
    yield* sql
      .exec<TextRow>(
        'SELECT texts.id, text FROM json_each(?) AS ids CROSS JOIN texts ON texts.id = ids.value',
        JSON.stringify(ids.slice(start, start + PREFIX_SEARCH_BATCH_TEXTS)),
      )
      .toArray()
}

/**
 * The titles of the newest threads, then up to PREFIX_SEARCH_BATCH_TEXTS of the newest messages of each of them, together at
 * most PREFIX_SEARCH_TEXTS_READ_MAX. Titles are not counted.
 */
function* newestTexts(sql: SqlStorage, owner: string | null): Iterable<TextRow> {
  const threads = sql
    .exec<{ id: string }>(
      `SELECT id FROM threads ${owner === null ? '' : 'WHERE owner = ?'} ORDER BY updated_at DESC, id DESC
       LIMIT ${PREFIX_SEARCH_THREADS_READ_MAX}`,
      ...(owner === null ? [] : [owner]),
    )
    .toArray()
  yield* sql
    .exec<TextRow>(
      `SELECT texts.id, text FROM json_each(?) AS newest CROSS JOIN texts
       ON thread = newest.value AND position = ${TITLE_POSITION}`,
      JSON.stringify(threads.map(({ id }) => id)),
    )
    .toArray()
  let textsLeft = PREFIX_SEARCH_TEXTS_READ_MAX
  for (const { id } of threads) {
    if (textsLeft === 0) return
    const texts = sql
      .exec<TextRow>(
        `SELECT id, text FROM texts WHERE thread = ? AND position > ${TITLE_POSITION} ORDER BY position DESC LIMIT ?`,
        id,
        Math.min(textsLeft, PREFIX_SEARCH_BATCH_TEXTS),
      )
      .toArray()
    textsLeft -= texts.length
    yield* texts
  }
}
