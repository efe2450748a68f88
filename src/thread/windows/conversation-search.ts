// Searches the messages that are no longer in the thread's window, and reads one of them, for the model.

import type { ConversationSearch } from '../../tools/record/builtin.ts'
import { EXCERPT_CHARS, EXCERPTS_MAX } from './limits.ts'
import type { Parts } from '../parts.ts'
import {
  chunksOf,
  createIndex,
  findTerms,
  indexedUpTo,
  indexMessage,
  passagesOf,
} from './conversation-index.ts'

type Thread = Parts<'ctx' | 'row' | 'sources' | 'transcript'>

const NOTHING_EARLIER =
  'Nothing to search: everything that was said in this conversation is still in your context.'

export function searchConversation(thread: Thread, query: string): ReturnType<ConversationSearch> {
  const { row, sources } = thread
  // Text of any source may be found.
  const untrusted = sources.all
  if (row.data.window.first <= 1) return { content: NOTHING_EARLIER, isError: false, untrusted: [] }
  const whole = byId(thread, query.trim())
  if (whole !== null) return { content: whole, isError: false, untrusted }
  const excerpts = excerptsFor(thread, query)
  if (excerpts.length === 0)
    return { content: `Nothing was found for: ${query}. Try other words.`, isError: false, untrusted: [] }
  const content = [...excerpts, 'To read one of them whole, search for its ID.'].join('\n\n')
  return { content, isError: false, untrusted }
}

/** The whole message or result with this ID, or null if there is none. */
function byId({ transcript }: Thread, id: string): string | null {
  if (!/^[\w-]{1,200}$/.test(id)) return null
  const message = transcript.withId(id)
  if (message)
    return passagesOf(message)
      .map(({ label, text }) => `[${label}] ${text}`)
      .join('\n\n')
  const result = transcript
    .withResultOf(id)
    .flatMap(passagesOf)
    .find(({ label }) => label === `result of ${id}`)
  return result ? result.text : null
}

function excerptsFor({ ctx, row, transcript }: Thread, query: string): readonly string[] {
  const { sql } = ctx.storage
  ctx.storage.transactionSync(() => {
    createIndex(sql)
    for (const message of transcript.between(indexedUpTo(sql), row.data.window.first))
      indexMessage(sql, message.seq, message)
  })
  return findTerms(sql, query, EXCERPTS_MAX).flatMap(({ seq, chunk }) => {
    const [message] = transcript.between(seq - 1, seq + 1)
    const passage = message && chunksOf(message)[chunk]
    if (!message || !passage) return []
    return [`${message.id} (${message.at}, ${passage.label}): ${excerpt(passage.text, query)}`]
  })
}

/** The text around the first part of the query that it contains, or around the first word. */
function excerpt(text: string, query: string): string {
  const lower = text.toLowerCase()
  const wanted = query.toLowerCase()
  const terms = [...wanted.split(/\s+/).filter(Boolean), ...(wanted.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])]
  const found = terms.find((term) => lower.includes(term))
  const at = found === undefined ? 0 : lower.indexOf(found)
  const from = Math.max(0, at - EXCERPT_CHARS / 2)
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT_CHARS < text.length ? '…' : ''}`
}
