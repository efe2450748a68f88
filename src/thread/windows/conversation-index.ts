// A full-text index (FTS5) of the messages that are no longer in the window, in the thread's own database. It is built at
// the first search after a window was replaced, because few threads search, and each row is a paid write. It stores
// only words: the text is read from the messages.

import { resultText } from '../../agent/render-messages.ts'
import { isText, isToolUse, type ApiMessage } from '../../agent/message.ts'
import { INDEXED_CHUNK_CHARS, MESSAGE_CHUNKS_MAX } from './limits.ts'

/** Text of one block of a message. */
export interface Passage {
  /** What the text is: who wrote it, or of which call it is the input or result. */
  readonly label: string
  readonly text: string
}

/** The texts of a message, in the order of its blocks. Images and thinking have none. */
export function passagesOf({ role, content }: ApiMessage): readonly Passage[] {
  return content.flatMap((block): readonly Passage[] => {
    if (isText(block)) return [{ label: role, text: block.text }]
    if (isToolUse(block))
      return [{ label: `call ${block.id} of ${block.name}`, text: JSON.stringify(block.input) ?? '' }]
    if (block.type !== 'tool_result') return []
    return [{ label: `result of ${String(block['tool_use_id'])}`, text: resultText(block) }]
  })
}

/** The texts of a message in pieces, each with its passage. */
export function chunksOf(message: ApiMessage): readonly Passage[] {
  const chunks = passagesOf(message).flatMap(({ label, text }) =>
    Array.from({ length: Math.ceil(text.length / INDEXED_CHUNK_CHARS) }, (_, at) => ({
      label,
      text: text.slice(at * INDEXED_CHUNK_CHARS, (at + 1) * INDEXED_CHUNK_CHARS),
    })),
  )
  return chunks.slice(0, MESSAGE_CHUNKS_MAX)
}

/** Characters of scripts that are written without spaces: each is indexed as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

function spaced(text: string): string {
  return text.replace(UNSPACED, ' $& ')
}

export function createIndex(sql: SqlStorage): void {
  sql.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS earlier_words
       USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2')`,
  )
}

/** Deletes the index, which no list of tables contains. */
export function dropIndex(sql: SqlStorage): void {
  sql.exec('DROP TABLE IF EXISTS earlier_words')
}

/** The number of the newest message that is indexed, or 0. */
export function indexedUpTo(sql: SqlStorage): number {
  const [row] = sql
    .exec<{ id: number }>('SELECT rowid AS id FROM earlier_words ORDER BY rowid DESC LIMIT 1')
    .toArray()
  return row ? Math.floor(row.id / MESSAGE_CHUNKS_MAX) : 0
}

export function indexMessage(sql: SqlStorage, seq: number, message: ApiMessage): void {
  for (const [at, { label, text }] of chunksOf(message).entries())
    sql.exec(
      'INSERT INTO earlier_words (rowid, text) VALUES (?, ?)',
      seq * MESSAGE_CHUNKS_MAX + at,
      spaced(`${label} ${text}`),
    )
}

/** The terms of a text, each as the index has it. */
function termsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => spaced(word).trim())
}

/**
 * Where the query occurs, best match first: texts with all its parts, such as the name `order-4711`; if there are none,
 * texts with all its terms, and then with some of them.
 */
export function findTerms(
  sql: SqlStorage,
  query: string,
  limit: number,
): readonly { readonly seq: number; readonly chunk: number }[] {
  const text = query.normalize('NFC')
  const phrase = (terms: string): string => `"${terms}"`
  const terms = termsOf(text).map(phrase)
  if (terms.length === 0) return []
  const parts = text.split(/\s+/).map((part) => termsOf(part).join(' '))
  const find = (expression: string): readonly number[] =>
    sql
      .exec<{ id: number }>(
        'SELECT rowid AS id FROM earlier_words WHERE earlier_words MATCH ? ORDER BY rank LIMIT ?',
        expression,
        limit,
      )
      .toArray()
      .map(({ id }) => id)
  let ids: readonly number[] = []
  for (const expression of [
    parts.filter(Boolean).map(phrase).join(' AND '),
    terms.join(' AND '),
    terms.join(' OR '),
  ])
    if (ids.length === 0) ids = find(expression)
  return ids.map((id) => ({ seq: Math.floor(id / MESSAGE_CHUNKS_MAX), chunk: id % MESSAGE_CHUNKS_MAX }))
}
