// Reads messages of all windows by what they contain. Caches nothing.

import type { ApiMessage, Block, Role } from '../../agent/message.ts'
import { rfc3339 } from '../../lib/clock.ts'
import type { MessageRow } from './message-row.ts'
import { readStored } from './stored-json.ts'

/** Text in the first piece of a message, or a message that has several. */
const MAY_CONTAIN = '(instr(content, ?) > 0 OR seq IN (SELECT message FROM message_parts))'

/** `at`: RFC 3339. */
export type StoredMessage = ApiMessage & { readonly seq: number; readonly id: string; readonly at: string }

export function roleOf(value: string): Role {
  return value === 'assistant' ? 'assistant' : 'user'
}

/** The content of a message; null if it cannot be read. */
export function storedContent(sql: SqlStorage, row: MessageRow): readonly Block[] | null {
  const parts = sql
    .exec<{ text: string }>('SELECT text FROM message_parts WHERE message = ? ORDER BY part', row.seq)
    .toArray()
  return readStored<readonly Block[]>(row.content + parts.map((part) => part.text).join(''))
}

export class StoredMessages {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Number of the newest message of all runs, or 0. */
  lastSeq(): number {
    return this.#sql.exec<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM messages').one().seq
  }

  /** The messages between two numbers, in all windows, oldest first. */
  between(after: number, before = Number.MAX_SAFE_INTEGER): readonly StoredMessage[] {
    return this.#numbered('seq > ? AND seq < ?', after, before)
  }

  withId(id: string): StoredMessage | null {
    return this.#numbered('id = ?', id)[0] ?? null
  }

  /** The messages with the result of this call. */
  withResultOf(toolUseId: string): readonly StoredMessage[] {
    return this.#numbered(`role = 'user' AND ${MAY_CONTAIN}`, `"tool_use_id":${JSON.stringify(toolUseId)}`)
  }

  /** The model's messages after number `after`, in all windows. */
  answersAfter(after: number): readonly StoredMessage[] {
    return this.#numbered("role = 'assistant' AND seq > ?", after)
  }

  /** The messages with results of the model's own web search, in all windows. */
  withServerSearches(): readonly StoredMessage[] {
    return this.#numbered(`role = 'assistant' AND ${MAY_CONTAIN}`, 'web_search_tool_result')
  }

  /** The messages before number `before` that show images from the thread's files, in all windows. */
  withFileImages(before: number): readonly StoredMessage[] {
    return this.#numbered(`seq < ? AND ${MAY_CONTAIN}`, before, '"type":"file"')
  }

  #numbered(where: string, ...values: readonly SqlStorageValue[]): readonly StoredMessage[] {
    return this.#sql
      .exec<MessageRow>(`SELECT * FROM messages WHERE ${where} ORDER BY seq`, ...values)
      .toArray()
      .map((row) => ({
        seq: row.seq,
        id: row.id,
        at: rfc3339(row.created_at),
        role: roleOf(row.role),
        content: storedContent(this.#sql, row) ?? [],
      }))
  }
}
