// Tells whether the window is so full that it should be replaced before the next request, and whether that can help.

import { estimateUnmeasuredTokens } from '../../agent/cost.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { MODEL_MIN_TOKENS, MODEL_OUTPUT_MAX_TOKENS, MODEL_OUTPUT_SHARE } from '../../limits/model.ts'
import { COMPACT_PERCENT_DEFAULT, COMPACT_PERCENT_MIN } from '../../limits/settings.ts'
import { CODE_TRY, HOPELESS_SHARE, UNKNOWN_WINDOW_TOKENS } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { CompactionState, Run } from '../rows/run.ts'

/** The output tokens that a call may ask for. */
export function outputTokensOf({ window }: Pick<ModelFacts, 'window'>): number {
  if (window === null) return MODEL_OUTPUT_MAX_TOKENS
  return Math.max(
    MODEL_MIN_TOKENS,
    Math.min(MODEL_OUTPUT_MAX_TOKENS, Math.floor(window * MODEL_OUTPUT_SHARE)),
  )
}

/** The model's window in tokens, or what the last accepted request says about it. */
export function windowTokens({ row }: Parts<'row'>, facts: Pick<ModelFacts, 'window'>): number {
  return facts.window ?? (row.data.contextTokens || UNKNOWN_WINDOW_TOKENS)
}

/** Whether the window contains a response of the model, so that a new window could be shorter. */
export function hasResponse({ transcript }: Parts<'transcript'>): boolean {
  return transcript.forModel().some(({ role }) => role === 'assistant')
}

/**
 * Whether a request of this many tokens passes the workspace's share of the window. Answers without waiting while the
 * request passes not even the smallest share that can be set. If the settings cannot be read, the default applies.
 */
export function isTooFull(
  thread: Parts<'row' | 'transcript', 'models' | 'settings'>,
  model: string,
  inputTokens: number,
): boolean | Promise<boolean> {
  const facts = thread.ports.models.resolve(model)?.facts
  if (facts?.window == null) return false
  const room = facts.window - outputTokensOf(facts)
  const passes = (percent: number): boolean => inputTokens > (room * percent) / 100
  if (!passes(COMPACT_PERCENT_MIN) || !hasResponse(thread)) return false
  return thread.ports.settings(thread.row.data.workspace).then(
    (settings) => passes(settings.ok ? settings.value.threads.compact_percent : COMPACT_PERCENT_DEFAULT),
    () => passes(COMPACT_PERCENT_DEFAULT),
  )
}

/** How to go on after the API refused a request of this run as too long; null if a new window cannot help. */
export function afterRefusal(
  thread: Parts<'row' | 'transcript'>,
  run: Pick<Run, 'id' | 'steps'>,
  { window }: Pick<ModelFacts, 'window'>,
): CompactionState | null {
  const { opening, least } = thread.row.data.window
  const last = thread.transcript.last(run.id)
  // A message that is far longer than any window is withdrawn, instead of paying for a summary first.
  if (run.steps === 0 && window !== null && last?.role === 'user')
    if (estimateUnmeasuredTokens([last]) > window * HOPELESS_SHARE) return null
  if (hasResponse(thread)) return { attempt: 1, refused: true, least: false, usd: 0 }
  return opening.length > 0 && !least ? { attempt: CODE_TRY, refused: true, least: true, usd: 0 } : null
}
