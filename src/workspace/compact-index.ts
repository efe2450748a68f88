// Rewrites the search index. Imported when it is needed.

import { INDEX_PAGES_MERGED } from './limits.ts'

/**
 * Rewrites a part of the index, which drops the terms of texts that were removed: until then they remain in its segments. Returns
 * whether more remains. `isFirst` begins to rewrite everything.
 */
export function compactIndex(sql: SqlStorage, isFirst: boolean): boolean {
  // The record of the index's segments (FTS5), which each merge changes.
  const segments = (): unknown =>
    sql.exec('SELECT hex(block) AS text FROM words_data WHERE id = 10').one()['text']
  const before = segments()
  const pages = isFirst ? -INDEX_PAGES_MERGED : INDEX_PAGES_MERGED
  sql.exec("INSERT INTO words (words, rank) VALUES ('merge', ?)", pages)
  return segments() !== before
}
