// Adds the partial response of an interrupted run to the transcript, in the block that ends the run. If the
// step is retried instead, its partial text is discarded.

import { maxServerSearches } from './server-search.ts'
import { NO_USAGE, type Block } from '../../agent/message.ts'
import { SEARCH_SOURCES } from '../../agent/server-search.ts'
import type { Parts } from '../parts.ts'
import type { PartialAnswer, PartialBlock, Span } from '../events/partial-answer.ts'
import type { Run } from '../rows/run.ts'

/** The `model_stop` of a message that was cut off by the end of its run: the API gave no reason. */
const CUT_OFF = 'cut'

/**
 * Writes the run's partial response as an assistant message with its event. Readers keep everything they saw,
 * including thinking. The model gets back only the text, because the API refuses unsigned thinking and
 * incomplete tool calls. Does nothing if there is no text.
 */
export function appendPartialAnswer(
  thread: Parts<'row' | 'runs' | 'log' | 'transcript' | 'sources' | 'approvals' | 'partial', 'now' | 'newId'>,
  run: Run,
): void {
  const runId = run.id
  const { partial, row, log, transcript, ports } = thread
  if (partial?.runId !== runId) return
  thread.partial = null
  const blocks = withoutBlankBlocks(partial.blocks())
  const content = blocks.filter(({ type }) => type === 'text').map(blockOf)
  if (content.length === 0) return
  thread.runs.change(runId, (current) => partial.firstText(current))
  const shown = blocks.map(blockOf)
  const { step } = partial
  const seq = transcript.append({
    id: ports.newId('msg'),
    runId,
    role: 'assistant',
    content,
    ...(shown.length > content.length ? { shown } : {}),
    model: run.model,
    step,
    modelStop: CUT_OFF,
    ...(transcript.last(runId)?.kind === 'cut_notice' ? { kind: 'continues' } : {}),
    thinkingMs: partial.thinkingMs(),
    at: ports.now(),
  })
  // The results of the model's own searches are lost, but this text may repeat them.
  if (maxServerSearches(row.data.tools) > 0) {
    thread.sources.add(SEARCH_SOURCES, seq)
    thread.approvals.endRememberedApprovals(SEARCH_SOURCES)
  }
  // The measured size of the conversation does not include this text, so 0 is stored: the next call then estimates
  // the size.
  row.setUsage(0, row.data.usage)
  const message = transcript.message(seq)
  if (!message) return
  const usage = { ...NO_USAGE, cost_usd: null }
  const spans = spansOf(blocks)
  log.append(
    runId,
    { type: 'message.completed', step, message, model_stop: CUT_OFF, usage },
    { type: 'message.completed', step, message_seq: seq, model_stop: CUT_OFF, usage, spans },
  )
}

/** What readers saw of a response that the model does not get back, with the event numbers of its deltas. */
export function shownContent(partial: PartialAnswer): {
  readonly shown: readonly Block[]
  readonly spans: readonly Span[]
} {
  const blocks = withoutBlankBlocks(partial.blocks())
  return { shown: blocks.map(blockOf), spans: spansOf(blocks) }
}

function spansOf(blocks: readonly PartialBlock[]): readonly Span[] {
  return blocks.map(({ type, from, to }, block) => ({ block, type, from, to }))
}

/**
 * Drops blank blocks, which the API refuses. Their event numbers are assigned to the next block, so that a
 * replay has no gap.
 */
function withoutBlankBlocks(all: readonly PartialBlock[]): readonly PartialBlock[] {
  let from = all[0]?.from ?? 0
  return all
    .filter(({ text }) => text.trim() !== '')
    .map((block) => {
      const widened = { ...block, from }
      from = block.to + 1
      return widened
    })
}

function blockOf({ type, text }: { readonly type: 'text' | 'thinking'; readonly text: string }): Block {
  // The text may end in half a surrogate pair, which the API refuses.
  return type === 'text' ? { type, text: text.toWellFormed() } : { type, thinking: text.toWellFormed() }
}
