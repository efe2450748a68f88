// Which request asks for the summary of a window. The first tries extend the window by one message, so that the provider's
// cache still holds the rest; another try is a request of its own, with the conversation as text.

import { estimateUnmeasuredTokens } from '../../agent/cost.ts'
import { resultImages, type ApiMessage } from '../../agent/message.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { conversationToSummarize, SUMMARY_SYSTEM, summaryInstruction } from '../../agent/summary.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { outputTokensOf, windowTokens } from './fullness.ts'
import { EXTENDING_TRIES, OWN_TRY, SUMMARIZED_SHARE } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { CompactionState } from '../rows/run.ts'

export interface SummaryRequest {
  readonly way: 'model' | 'cut'
  readonly system: string
  readonly tools: readonly ToolRow[]
  readonly messages: readonly ApiMessage[]
  /** Its estimated size. */
  readonly inputTokens: number
}

/** What the window contains when its summary is due. */
export interface SummarizedWindow {
  /** The messages of the window as they are sent. */
  readonly messages: readonly ApiMessage[]
  /** Whether the last message is one that the new window will contain itself. */
  readonly hasPending: boolean
  /** Estimated tokens of the window's next request. */
  readonly inputTokens: number
}

/** The messages up to the last request that was answered. */
function answeredRequest(messages: readonly ApiMessage[]): readonly ApiMessage[] {
  return messages.slice(
    0,
    Math.max(
      0,
      messages.findLastIndex(({ role }) => role === 'assistant'),
    ),
  )
}

/** The window extended by one message; null if that cannot be sent. */
function extending(
  { row }: Parts<'row'>,
  facts: ModelFacts,
  { messages: all, hasPending, inputTokens }: SummarizedWindow,
  { refused }: CompactionState,
  about: string | null,
): SummaryRequest | null {
  const instruction = summaryInstruction(about)
  const added = estimateUnmeasuredTokens([instruction])
  const withoutPending = hasPending ? all.slice(0, -1) : all
  const fullTokens = inputTokens + added - (hasPending ? estimateUnmeasuredTokens(all.slice(-1)) : 0)
  const fits = facts.window === null || fullTokens + outputTokensOf(facts) <= facts.window
  // After a refusal, a new message of the person is not part of the request, but results of calls would be.
  const isWhole = fits && (hasPending || !refused)
  const messages = isWhole ? withoutPending : answeredRequest(withoutPending)
  if (!messages.some(({ role }) => role === 'assistant')) return null
  // A window that began with earlier messages may have answered no request yet.
  if (!isWhole && row.data.contextTokens === 0) return null
  if (!facts.capabilities.images && resultImages(messages).length > 0) return null
  const { system, tools, contextTokens } = row.data
  const tokens = isWhole ? fullTokens : (contextTokens || fullTokens) + added
  return { way: 'model', system, tools, messages: [...messages, instruction], inputTokens: tokens }
}

/** The request for this try, or null if code has to write the summary. */
export function summaryRequest(
  thread: Parts<'row'>,
  facts: ModelFacts,
  summarized: SummarizedWindow,
  state: CompactionState,
  about: string | null,
): SummaryRequest | null {
  if (state.attempt > OWN_TRY) return null
  const extended =
    state.attempt <= EXTENDING_TRIES ? extending(thread, facts, summarized, state, about) : null
  if (extended) return extended
  const { messages: all, hasPending } = summarized
  const maxTokens = Math.floor(windowTokens(thread, facts) * SUMMARIZED_SHARE)
  const messages = [conversationToSummarize(hasPending ? all.slice(0, -1) : all, maxTokens, about)]
  const inputTokens = estimateTokens(SUMMARY_SYSTEM) + estimateUnmeasuredTokens(messages)
  return { way: 'cut', system: SUMMARY_SYSTEM, tools: [], messages, inputTokens }
}
