// The append-only transcript: rows in SQLite, and a copy in memory as the model gets it.

import type { ApiMessage, Block, Message, Role } from '../../agent/message.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../limits.ts'
import { readStored, writeStored } from './stored.ts'

export interface NewMessage {
  readonly id: string
  readonly runId: string
  readonly role: Role
  readonly content: readonly Block[]
  /** What readers get where it differs from what the model gets. */
  readonly shown?: readonly Block[]
  readonly step?: number
  readonly modelStop?: string | null
  readonly at: number
}

/** The last message of a run, with what the loop decides on. */
export interface LastMessage {
  readonly id: string
  readonly role: Role
  readonly content: readonly Block[]
  readonly modelStop: string | null
}

/** Cuts text into pieces of at most `size` UTF-16 units, never inside a surrogate pair (SQLite would corrupt it). */
export function pieces(text: string, size: number): readonly string[] {
  const out: string[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + size)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    out.push(text.slice(at, end))
    at = end
  }
  return out.length === 0 ? [''] : out
}

/** What readers get in place of a message that cannot be read. */
const LOST: readonly Block[] = [{ type: 'text', text: '[This message cannot be read any more.]' }]

interface MessageRow extends Record<string, SqlStorageValue> {
  seq: number
  id: string
  run_id: string
  role: string
  content: string
  shown: string | null
  model_stop: string | null
  created_at: number
}

export class Transcript {
  readonly #sql: SqlStorage
  #api: ApiMessage[] | null = null
  /** The first message that cannot be read. */
  #unreadable: string | null = null
  /** The newest message, where this instance wrote it. */
  #last: (NewMessage & LastMessage) | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#api = null
    this.#last = null
  }

  append(message: NewMessage): void {
    const [head, ...rest] = pieces(writeStored(message.content), MESSAGE_ROW_MAX_CHARS)
    this.#sql.exec(
      'INSERT INTO messages (id, run_id, role, content, shown, step, model_stop, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      message.id,
      message.runId,
      message.role,
      head ?? '',
      message.shown ? JSON.stringify(message.shown) : null,
      message.step ?? null,
      message.modelStop ?? null,
      message.at,
    )
    rest.forEach((text, part) =>
      this.#sql.exec(
        'INSERT INTO message_parts (message_id, part, text) VALUES (?, ?, ?)',
        message.id,
        part,
        text,
      ),
    )
    this.#api?.push({ role: message.role, content: message.content })
    this.#last = { ...message, modelStop: message.modelStop ?? null }
  }

  /**
   * Takes a message out of what the model gets; readers still see it. Only for one that no model ever took: then it
   * never was part of an accepted request, and later ones still extend the accepted ones. False: it stays.
   */
  withdraw(id: string): boolean {
    const row = this.#sql.exec<MessageRow>('SELECT * FROM messages WHERE id = ?', id).toArray()[0]
    if (!row) return false
    const shown = JSON.stringify(this.#shown(row).content)
    // What readers see would be too long for a row.
    if (shown.length > MESSAGE_ROW_MAX_CHARS) return false
    this.#sql.exec("UPDATE messages SET shown = ?, content = '[]' WHERE id = ?", shown, id)
    this.#sql.exec('DELETE FROM message_parts WHERE message_id = ?', id)
    this.reread()
    return true
  }

  /** What the model gets. Empty messages (a withdrawn refusal) are kept as rows and not sent. */
  forModel(): readonly ApiMessage[] {
    this.#api ??= this.#readAll()
    return this.#api.filter((message) => message.content.length > 0)
  }

  /** A message that the model was told and that cannot be read any more: without it nothing can be asked. */
  unreadable(): string | null {
    this.#api ??= this.#readAll()
    return this.#unreadable
  }

  #readAll(): ApiMessage[] {
    this.#unreadable = null
    const rows = this.#sql.exec<MessageRow>('SELECT * FROM messages ORDER BY seq').toArray()
    return rows.map((row) => {
      const content = this.#content(row)
      if (content === null) this.#unreadable ??= row.id
      return { role: roleOf(row.role), content: content ?? [] }
    })
  }

  /** Null: it cannot be read. */
  #content(row: MessageRow): readonly Block[] | null {
    const rest = this.#sql
      .exec<{ text: string }>('SELECT text FROM message_parts WHERE message_id = ? ORDER BY part', row.id)
      .toArray()
    return readStored<readonly Block[]>(row.content + rest.map((part) => part.text).join(''))
  }

  last(runId: string): LastMessage | null {
    if (this.#last?.runId === runId) return this.#last
    const row = this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE run_id = ? ORDER BY seq DESC LIMIT 1', runId)
      .toArray()[0]
    if (!row) return null
    return {
      id: row.id,
      role: roleOf(row.role),
      content: this.#content(row) ?? [],
      modelStop: row.model_stop,
    }
  }

  /** The newest assistant message of a run: its answer, once it has ended. */
  answer(runId: string): Message | null {
    const row = this.#sql
      .exec<MessageRow>(
        "SELECT * FROM messages WHERE run_id = ? AND role = 'assistant' ORDER BY seq DESC LIMIT 1",
        runId,
      )
      .toArray()[0]
    return row ? this.#shown(row) : null
  }

  message(id: string): Message | null {
    const last = this.#last
    if (last?.id === id)
      return {
        id,
        run_id: last.runId,
        role: last.role,
        content: last.shown ?? last.content,
        created_at: rfc3339(last.at),
      }
    const row = this.#sql.exec<MessageRow>('SELECT * FROM messages WHERE id = ?', id).toArray()[0]
    return row ? this.#shown(row) : null
  }

  #shown(row: MessageRow): Message {
    return {
      id: row.id,
      run_id: row.run_id,
      role: roleOf(row.role),
      content: (row.shown === null ? this.#content(row) : readStored<readonly Block[]>(row.shown)) ?? LOST,
      created_at: rfc3339(row.created_at),
    }
  }

  /** Oldest first, after row number `after`. */
  page(
    after: number,
    limit: number,
  ): { readonly messages: readonly Message[]; readonly next: number | null } {
    const rows = this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE seq > ? ORDER BY seq LIMIT ?', after, limit + 1)
      .toArray()
    const shown = rows.slice(0, limit)
    return {
      messages: shown.map((row) => this.#shown(row)),
      next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
    }
  }

  /** `pause_turn` answers at the end of a run, in a row. */
  pauses(runId: string): number {
    const rows = this.#sql
      .exec('SELECT model_stop FROM messages WHERE run_id = ? ORDER BY seq DESC LIMIT 10', runId)
      .toArray()
    const first = rows.findIndex((row) => row['model_stop'] !== 'pause_turn')
    return first === -1 ? rows.length : first
  }
}

function roleOf(value: string): Role {
  return value === 'assistant' ? 'assistant' : 'user'
}
