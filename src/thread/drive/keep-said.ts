// What was said before a run was cut off joins the transcript: in the block that ends the run, and only there. A step that
// begins anew takes its text back; one that is never begun again keeps it.

import { NO_USAGE, type Block } from '../../agent/message.ts'
import type { Core } from '../core.ts'
import type { Saying, Span } from '../events/live-step.ts'
import type { StoredMessageEvent } from '../events/event-rows.ts'
import type { Run } from '../rows/run.ts'

/** `model_stop` of a message that the run's end cut off: the API never said why it stopped. */
const CUT = 'cut'

/**
 * Writes what the run's step was saying as an assistant message with its event. Readers keep what they saw, thinking
 * too; the model gets back only text, for unsigned thinking and half a tool call would be refused. Nothing where no
 * text was said.
 */
export function keepSaid(core: Core, run: Run): void {
  const runId = run.id
  const { saying } = core
  if (saying?.runId !== runId) return
  core.saying = null
  const said = worthKeeping(saying.said())
  const content = said.filter(({ type }) => type === 'text').map(blockOf)
  if (content.length === 0) return
  const shown = said.map(blockOf)
  const seq = core.transcript.append({
    id: core.out.newId('msg'),
    runId,
    role: 'assistant',
    content,
    ...(shown.length > content.length ? { shown } : {}),
    model: run.model,
    step: saying.step,
    modelStop: CUT,
    at: core.out.now(),
  })
  // What the last call measured does not count these words: the next one guesses from the whole conversation.
  core.row.used(0, core.row.data.usage)
  const message = core.transcript.message(seq)
  if (!message) return
  const head = { type: 'message.completed', step: saying.step } as const
  const tail = { model_stop: CUT, usage: { ...NO_USAGE, cost_usd: null } }
  const spans: readonly Span[] = said.map(({ type, from, to }, block) => ({ block, type, from, to }))
  const stored: StoredMessageEvent = { ...head, message_seq: seq, ...tail, spans }
  core.log.append(runId, { ...head, message, ...tail }, stored)
}

/** Blank blocks are refused by the API. Their numbers go to the block behind them, so that a replay leaves none out. */
function worthKeeping(all: readonly Readonly<Saying>[]): readonly Readonly<Saying>[] {
  let from = all[0]?.from ?? 0
  return all
    .filter(({ text }) => text.trim() !== '')
    .map((saying) => {
      const kept = { ...saying, from }
      from = saying.to + 1
      return kept
    })
}

function blockOf({ type, text }: { readonly type: 'text' | 'thinking'; readonly text: string }): Block {
  // Half a character at the cut would be refused by the API.
  return type === 'text' ? { type, text: text.toWellFormed() } : { type, thinking: text.toWellFormed() }
}
