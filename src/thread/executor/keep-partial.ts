// The partial answer of a run that was cut off joins the transcript: in the block that ends the run, and only there. A step
// that begins anew takes its text back; one that is never begun again keeps it.

import { serverSearches } from './server-search.ts'
import { NO_USAGE, type Block } from '../../agent/message.ts'
import { SEARCH_SOURCES } from '../../agent/server-search.ts'
import type { Parts } from '../parts.ts'
import type { PartialAnswer, PartialBlock, Span } from '../events/partial-answer.ts'
import type { Run } from '../rows/run.ts'

/** `model_stop` of a message that the run's end cut off: the API never said why it stopped. */
const CUT = 'cut'

/**
 * Writes what there is of the run's answer as an assistant message with its event. Readers keep what they saw, thinking
 * too; the model gets back only text, for unsigned thinking and half a tool call would be refused. Nothing where there
 * is no text.
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
  // What it may have found by itself before is lost, and may stand in these words.
  if (serverSearches(row.data.tools) > 0) {
    thread.sources.add(SEARCH_SOURCES, seq)
    thread.approvals.untrustedAdded(SEARCH_SOURCES)
  }
  // What the last call measured does not count these words: the next one guesses from the whole conversation.
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

/** What readers saw of an answer that the model does not get back, with the numbers that its deltas took. */
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

/** Blank blocks are refused by the API. Their numbers go to the block behind them, so that a replay leaves none out. */
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
  // Half a character at the cut would be refused by the API.
  return type === 'text' ? { type, text: text.toWellFormed() } : { type, thinking: text.toWellFormed() }
}
