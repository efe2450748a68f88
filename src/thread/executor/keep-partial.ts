// Adds the partial answer of an interrupted run to the transcript, only in the block that ends the run. A step that
// starts again discards its text; one that never starts again keeps it.

import { serverSearches } from './server-search.ts'
import { NO_USAGE, type Block } from '../../agent/message.ts'
import { SEARCH_SOURCES } from '../../agent/server-search.ts'
import type { Parts } from '../parts.ts'
import type { PartialAnswer, PartialBlock, Span } from '../events/partial-answer.ts'
import type { Run } from '../rows/run.ts'

/** `model_stop` of a message that the run's end cut off: the API gave no reason. */
const CUT = 'cut'

/**
 * Writes the run's partial answer as an assistant message with its event. Readers keep what they saw, including
 * thinking; the model gets back only text, because the API refuses unsigned thinking and incomplete tool calls. Does
 * nothing without text.
 */
export function keepPartial(
  thread: Parts<'row' | 'log' | 'transcript' | 'sources' | 'approvals' | 'partial', 'now' | 'newId'>,
  run: Run,
): void {
  const runId = run.id
  const { partial, row, log, transcript, out } = thread
  if (partial?.runId !== runId) return
  thread.partial = null
  const kept = worthKeeping(partial.blocks())
  const content = kept.filter(({ type }) => type === 'text').map(blockOf)
  if (content.length === 0) return
  const shown = kept.map(blockOf)
  const { step } = partial
  const seq = transcript.append({
    id: out.newId('msg'),
    runId,
    role: 'assistant',
    content,
    ...(shown.length > content.length ? { shown } : {}),
    model: run.model,
    step,
    modelStop: CUT,
    at: out.now(),
  })
  // The results of the model's own searches are lost, and this text may repeat them.
  if (serverSearches(row.data.tools) > 0) {
    thread.sources.add(SEARCH_SOURCES, seq)
    thread.approvals.untrustedAdded(SEARCH_SOURCES)
  }
  // The last measurement does not include this text: the next call estimates the whole conversation.
  row.used(0, row.data.usage)
  const message = transcript.message(seq)
  if (!message) return
  const usage = { ...NO_USAGE, cost_usd: null }
  const spans = spansOf(kept)
  log.append(
    runId,
    { type: 'message.completed', step, message, model_stop: CUT, usage },
    { type: 'message.completed', step, message_seq: seq, model_stop: CUT, usage, spans },
  )
}

/** What readers saw of an answer that the model does not get back, with the event numbers of its deltas. */
export function seenOf(partial: PartialAnswer): {
  readonly shown: readonly Block[]
  readonly spans: readonly Span[]
} {
  const kept = worthKeeping(partial.blocks())
  return { shown: kept.map(blockOf), spans: spansOf(kept) }
}

function spansOf(kept: readonly PartialBlock[]): readonly Span[] {
  return kept.map(({ type, from, to }, block) => ({ block, type, from, to }))
}

/** Drops blank blocks, which the API refuses. Their event numbers go to the next block, so that a replay has no gap. */
function worthKeeping(all: readonly PartialBlock[]): readonly PartialBlock[] {
  let from = all[0]?.from ?? 0
  return all
    .filter(({ text }) => text.trim() !== '')
    .map((block) => {
      const kept = { ...block, from }
      from = block.to + 1
      return kept
    })
}

function blockOf({ type, text }: { readonly type: 'text' | 'thinking'; readonly text: string }): Block {
  // The API refuses half a surrogate pair at the cut.
  return type === 'text' ? { type, text: text.toWellFormed() } : { type, thinking: text.toWellFormed() }
}
