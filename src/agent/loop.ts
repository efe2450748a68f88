// The loop: decides the next action of a run from its rows. Pure, so that a run decides the same with and without a
// crash.

import { PAUSE_TURN_MAX } from './limits.ts'
import type { StopReason } from './events.ts'
import { groupCalls } from './order.ts'
import type { Effect } from './tool.ts'

/** `waiting`: for a person's decision; nothing happens until then. */
export type CallState = 'planned' | 'started' | 'waiting' | 'finished'

export interface CallView {
  readonly state: CallState
  readonly effect: Effect
}

/** A limit that was reached, named as in the receipt's budget. */
export interface ReachedLimit {
  readonly stop: 'step_limit' | 'budget' | 'recovery_limit'
  readonly detail: string
}

/** Everything that the decision depends on. Read only from rows. */
export interface RunView {
  /** `cancelled` or `interrupted` once that was requested. */
  readonly cancel: 'cancelled' | 'interrupted' | null
  /** The last message of the transcript that belongs to this run. */
  readonly last: 'user' | 'assistant'
  /** stop_reason of that message when the model wrote it. */
  readonly modelStop: string | null
  /** Tool calls of that message, in its order. */
  readonly calls: readonly CallView[]
  /** Consecutive `pause_turn` answers, including that message. */
  readonly pauses: number
  /** A loop was found: one more model call, without tools, to sum up. */
  readonly summingUp: boolean
  /** The model asked the person a question: the run ends once the results are written. */
  readonly awaitsInput: boolean
  readonly limit: ReachedLimit | null
}

export type NextAction =
  | { readonly do: 'call_model'; readonly forbidTools: boolean }
  | { readonly do: 'run_tools' }
  | { readonly do: 'append_results' }
  /** Nothing can continue before a person decides: the execution ends, the run does not. */
  | { readonly do: 'wait' }
  | {
      readonly do: 'end'
      readonly status: 'completed' | 'failed' | 'cancelled'
      readonly stop: StopReason
      readonly detail: string | null
    }

function end(
  status: 'completed' | 'failed' | 'cancelled',
  stop: StopReason,
  detail: string | null = null,
): NextAction {
  return { do: 'end', status, stop, detail }
}

function callModel(view: RunView): NextAction {
  if (view.limit) return end('failed', view.limit.stop, view.limit.detail)
  return { do: 'call_model', forbidTools: view.summingUp }
}

/**
 * The first unfinished group decides: no call is made before an earlier call with side effects, nor before one that
 * waits ahead of it.
 */
function afterCalls(calls: readonly CallView[]): NextAction {
  const open = groupCalls(calls)
    .map((group) => group.filter(({ state }) => state !== 'finished'))
    .find((group) => group.length > 0)
  if (!open) return { do: 'append_results' }
  return { do: open.every(({ state }) => state === 'waiting') ? 'wait' : 'run_tools' }
}

/** Follows the model's stop_reason; an unknown one ends the run safely. */
function afterAssistant(view: RunView): NextAction {
  switch (view.modelStop ?? 'none') {
    case 'tool_use':
      if (view.calls.length === 0) return end('completed', view.summingUp ? 'loop_detected' : 'answered')
      if (view.limit) return end('failed', view.limit.stop, view.limit.detail)
      return afterCalls(view.calls)
    case 'end_turn':
    case 'stop_sequence':
      return end('completed', view.summingUp ? 'loop_detected' : 'answered')
    case 'pause_turn':
      if (view.pauses < PAUSE_TURN_MAX) return callModel(view)
      return end(
        'failed',
        'model_error',
        `The model paused its turn ${view.pauses} times in a row without ending it.`,
      )
    case 'refusal':
      return end('completed', 'refused')
    // A message that was cut may contain half a tool call, so none of its calls are made.
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return end('completed', 'truncated')
    default:
      return end('failed', 'model_error', `The model stopped for an unknown reason: ${view.modelStop}.`)
  }
}

/** The next action of a run. Total: every state has exactly one. */
export function decide(view: RunView): NextAction {
  if (view.cancel) return end('cancelled', view.cancel)
  if (view.last === 'assistant') return afterAssistant(view)
  return view.awaitsInput ? end('completed', 'awaiting_input') : callModel(view)
}
