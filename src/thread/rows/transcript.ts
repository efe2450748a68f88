// The append-only transcript, stored in rows. A copy in memory holds the messages of the newest window as the model
// gets them.

import { CUT_CONTINUATIONS_MAX } from '../../agent/limits.ts'
import {
  joinAnswer,
  portableContent,
  type ApiMessage,
  type Block,
  type Message,
} from '../../agent/message.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { countThatFit } from '../../lib/cursor.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../limits/runs.ts'
import { storedContent, roleOf, StoredMessages, type StoredMessage } from './stored-messages.ts'
import {
  IS_SHOWN,
  optionalFields,
  splitIntoPieces,
  TOOL_RESULTS_PREFIX,
  withApiMessage,
  type LastMessage,
  type MessageRow,
  type NewMessage,
} from './message-row.ts'
import { readStored, writeStored } from './stored-json.ts'
import type { ThreadWindow } from './windows.ts'

/** Shown to readers in place of a message that cannot be read. */
const UNREADABLE_MESSAGE: readonly Block[] = [{ type: 'text', text: '[This message can no longer be read.]' }]

export class Transcript extends StoredMessages {
  readonly #sql: SqlStorage
  #apiMessages: ApiMessage[] | null = null
  /** ID of the first message that cannot be read; null if all can be read. */
  #unreadableId: string | null = null
  /** The newest message if this instance wrote it, otherwise null. */
  #last: (Omit<NewMessage, 'kind'> & LastMessage) | null = null
  readonly #window: () => ThreadWindow

  /** `window` returns the thread's newest window. After it changes, the cache must be dropped. */
  constructor(sql: SqlStorage, window: () => ThreadWindow) {
    super(sql)
    this.#sql = sql
    this.#window = window
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#apiMessages = null
    this.#last = null
  }

  /** Returns the message's number. */
  append(message: NewMessage): number {
    const [head, ...furtherPieces] = splitIntoPieces(writeStored(message.content), MESSAGE_ROW_MAX_CHARS)
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        `INSERT INTO messages (id, run_id, role, content, shown, model, step, model_stop, calls, thinking_ms, created_at, kind)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
        message.id,
        message.runId,
        message.role,
        head ?? '',
        message.shown ? JSON.stringify(message.shown) : null,
        message.model ?? null,
        message.step ?? null,
        message.modelStop ?? null,
        message.calls ? 1 : 0,
        message.thinkingMs ?? null,
        message.at,
        message.kind ?? null,
      )
      .one()
    furtherPieces.forEach((text, part) =>
      this.#sql.exec('INSERT INTO message_parts (message, part, text) VALUES (?, ?, ?)', seq, part, text),
    )
    if (this.#apiMessages) withApiMessage(this.#apiMessages, message, message.kind)
    this.#last = {
      ...message,
      seq,
      modelStop: message.modelStop ?? null,
      calls: message.calls ?? false,
      kind: message.kind ?? null,
    }
    return seq
  }

  /**
   * Removes a message from what the model gets; readers still see it. Only for a message that the model API
   * never accepted: no accepted request contained it, so later requests still begin like the accepted requests.
   * Returns false if it was not removed.
   */
  withdraw(seq: number): boolean {
    const row = this.#row(seq)
    if (!row) return false
    const shownJson = JSON.stringify(this.#asReadersSee(row).content)
    // The version for readers must be short enough for one row.
    if (shownJson.length > MESSAGE_ROW_MAX_CHARS) return false
    this.#sql.exec("UPDATE messages SET shown = ?, content = '[]' WHERE seq = ?", shownJson, seq)
    this.#sql.exec('DELETE FROM message_parts WHERE message = ?', seq)
    this.dropCache()
    return true
  }

  /**
   * The messages that the model gets: the opening of the window and the messages after it. Empty ones (withdrawn or
   * refused) have rows, but are not sent.
   */
  forModel(): readonly ApiMessage[] {
    this.#apiMessages ??= this.#readWindow()
    const { opening } = this.#window()
    const messages = this.#apiMessages.filter((message) => message.content.length > 0)
    return opening.length === 0 ? messages : [{ role: 'user', content: opening }, ...messages]
  }

  /** The messages of the newest window with their numbers, without its opening. */
  windowMessages(): readonly StoredMessage[] {
    return this.between(this.#window().first - 1)
  }

  /**
   * ID of a message in the model's context that can no longer be read, or null. Without that message the
   * model cannot be called.
   */
  unreadableId(): string | null {
    this.#apiMessages ??= this.#readWindow()
    return this.#unreadableId
  }

  #readWindow(): ApiMessage[] {
    this.#unreadableId = null
    const { first, strippedTo } = this.#window()
    const rows = this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE seq >= ? ORDER BY seq', first)
      .toArray()
    return rows.reduce<ApiMessage[]>((messages, row) => {
      const content = storedContent(this.#sql, row)
      if (content === null) this.#unreadableId ??= row.id
      const role = roleOf(row.role)
      const sent = row.seq > strippedTo ? (content ?? []) : portableContent(content ?? [])
      return withApiMessage(messages, { role, content: sent }, row.kind)
    }, [])
  }

  #row(seq: number): MessageRow | undefined {
    return this.#sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).toArray()[0]
  }

  /** The last message of a run that has not ended, or null. No other run can have a newer message. */
  last(runId: string): LastMessage | null {
    if (this.#last?.runId === runId) return this.#last
    const row = this.#sql.exec<MessageRow>('SELECT * FROM messages ORDER BY seq DESC LIMIT 1').toArray()[0]
    if (row?.run_id !== runId) return null
    return {
      seq: row.seq,
      id: row.id,
      role: roleOf(row.role),
      content: storedContent(this.#sql, row) ?? [],
      modelStop: row.model_stop,
      calls: row.calls === 1,
      kind: row.kind,
    }
  }

  /**
   * The newest assistant message of a run, together with the messages that it continues. Once the run has ended, this
   * is its answer.
   */
  answer(runId: string): Message | null {
    const rows = this.#sql
      .exec<MessageRow>(
        "SELECT * FROM messages WHERE run_id = ? AND role = 'assistant' ORDER BY seq DESC LIMIT ?",
        runId,
        CUT_CONTINUATIONS_MAX + 1,
      )
      .toArray()
    const first = rows.findIndex(({ kind }) => kind !== 'continues')
    return joinAnswer(rows.slice(0, first + 1).map((row) => this.#asReadersSee(row)))
  }

  message(seq: number): Message | null {
    const last = this.#last
    if (last?.seq === seq)
      return {
        id: last.id,
        run_id: last.runId,
        role: last.role,
        content: last.shown ?? last.content,
        model: last.model ?? null,
        created_at: rfc3339(last.at),
        ...optionalFields(last.kind ?? null, last.thinkingMs ?? null),
      }
    const row = this.#row(seq)
    return row ? this.#asReadersSee(row) : null
  }

  #asReadersSee(row: MessageRow): Message {
    return {
      id: row.id,
      run_id: row.run_id,
      role: roleOf(row.role),
      content:
        (row.shown === null ? storedContent(this.#sql, row) : readStored<readonly Block[]>(row.shown)) ??
        UNREADABLE_MESSAGE,
      model: row.model,
      created_at: rfc3339(row.created_at),
      ...optionalFields(row.kind, row.thinking_ms),
    }
  }

  /**
   * Messages after row number `after`, oldest first: at least one, and as many as fit into `maxBytes` bytes in
   * total.
   */
  page(
    after: number,
    limit: number,
    maxBytes: number,
  ): { readonly messages: readonly Message[]; readonly next: number | null } {
    const sizes = this.#sql
      .exec<{ seq: number; bytes: number }>(
        `SELECT seq, CASE WHEN shown IS NOT NULL THEN octet_length(shown) ELSE octet_length(content) +
           (SELECT coalesce(sum(octet_length(text)), 0) FROM message_parts WHERE message = seq) END AS bytes
         FROM messages WHERE seq > ? AND ${IS_SHOWN} ORDER BY seq LIMIT ?`,
        after,
        limit + 1,
      )
      .toArray()
    const count = countThatFit(
      sizes.map(({ bytes }) => bytes),
      limit,
      maxBytes,
    )
    const messages = this.#sql
      .exec<MessageRow>(
        `SELECT * FROM messages WHERE seq > ? AND ${IS_SHOWN} ORDER BY seq LIMIT ?`,
        after,
        count,
      )
      .toArray()
      .map((row) => this.#asReadersSee(row))
    return { messages, next: sizes.length > count ? (sizes[count - 1]?.seq ?? null) : null }
  }

  /** The first messages after number `after` as readers see them, without tool results. */
  messagesAfter(
    after: number,
    limit: number,
  ): readonly { readonly seq: number; readonly message: Message }[] {
    return this.#sql
      .exec<MessageRow>(
        `SELECT * FROM messages WHERE seq > ? AND ${IS_SHOWN} AND (shown IS NOT NULL OR substr(content, 1, 22) <> ?)
         ORDER BY seq LIMIT ?`,
        after,
        TOOL_RESULTS_PREFIX,
        limit,
      )
      .toArray()
      .map((row) => ({ seq: row.seq, message: this.#asReadersSee(row) }))
  }

  /** Number of consecutive `pause_turn` messages at the end of an open run. */
  countPauses(runId: string): number {
    const rows = this.#sql
      .exec('SELECT run_id, model_stop FROM messages ORDER BY seq DESC LIMIT 10')
      .toArray()
    const first = rows.findIndex((row) => row['run_id'] !== runId || row['model_stop'] !== 'pause_turn')
    return first === -1 ? rows.length : first
  }
}
