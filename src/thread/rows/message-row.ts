// A message as it is written and stored, and how long content is split into rows.

import type { ApiMessage, Block, Message, Role } from '../../agent/message.ts'

/**
 * What a message is if it is not simply a person's, the model's or the results of tools. `cut_notice` and `notice` are
 * Satchel's own and not shown to readers; `continues` is an answer that continues the one before it after a `cut_notice`.
 * A `steered` message joined a run that was in progress; the model gets `steered_with_results` in one message with the
 * results before it.
 */
type MessageKind = 'cut_notice' | 'notice' | 'continues' | 'steered' | 'steered_with_results'

/** The beginning of stored tool results. They are long, and neither a person nor the model wrote them. */
export const TOOL_RESULTS_PREFIX = '[{"type":"tool_result"'

/** False for Satchel's own messages to the model. */
export const IS_SHOWN = "coalesce(kind, '') NOT IN ('cut_notice', 'notice')"

export const STEERED_SQL = "'steered', 'steered_with_results'"

/** Adds a message to those that the model gets. */
export function withApiMessage(
  messages: ApiMessage[],
  { role, content }: ApiMessage,
  kind: string | null | undefined,
): ApiMessage[] {
  const last = messages.at(-1)
  if (kind === 'steered_with_results' && last?.role === 'user')
    messages[messages.length - 1] = { role, content: [...last.content, ...content] }
  else messages.push({ role, content })
  return messages
}

export interface NewMessage {
  readonly id: string
  readonly runId: string
  readonly role: Role
  readonly content: readonly Block[]
  /** What readers get if that differs from what the model gets. */
  readonly shown?: readonly Block[]
  /** The model that wrote the message. */
  readonly model?: string
  readonly step?: number
  readonly modelStop?: string | null
  /** Whether the tool calls in it are to be made. */
  readonly calls?: boolean
  readonly kind?: MessageKind
  /** How long its thinking took to arrive; null if it has none. */
  readonly thinkingMs?: number | null
  readonly at: number
}

/** The last message of a run, with the fields that the loop uses. */
export interface LastMessage {
  /** The message's number, to which other rows refer. */
  readonly seq: number
  readonly id: string
  readonly role: Role
  readonly content: readonly Block[]
  readonly modelStop: string | null
  /** Whether the tool calls in it are to be made. */
  readonly calls: boolean
  readonly kind: string | null
}

/** The fields that only some messages have for readers. */
export function optionalFields(
  kind: string | null,
  thinkingMs: number | null,
): Pick<Message, 'continues' | 'steered' | 'thinking_ms'> {
  return {
    ...(kind === 'continues' && { continues: true }),
    ...((kind === 'steered' || kind === 'steered_with_results') && { steered: true }),
    ...(thinkingMs !== null && { thinking_ms: thinkingMs }),
  }
}

/** Cuts text into pieces of at most `size` UTF-16 units. SQLite would corrupt half a surrogate pair. */
export function splitIntoPieces(text: string, size: number): readonly string[] {
  const chunks: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + size)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks.length === 0 ? [''] : chunks
}

export interface MessageRow extends Record<string, SqlStorageValue> {
  seq: number
  id: string
  run_id: string
  role: string
  content: string
  shown: string | null
  model: string | null
  model_stop: string | null
  calls: number
  kind: string | null
  thinking_ms: number | null
  created_at: number
}
