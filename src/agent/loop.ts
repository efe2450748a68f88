// The loop: from what is written down of a run, what comes next. Pure, so that going on after a crash and going on
// undisturbed are the same computation.

import { PAUSE_TURN_MAX } from './limits.ts'
import type { StopReason } from './events.ts'
import { groupCalls } from './order.ts'
import type { Effect } from './tool.ts'

/** `waiting`: for somebody's word; nothing is done about it until that has come. */
export type CallState = 'planned' | 'started' | 'waiting' | 'finished'

export interface CallView {
  readonly state: CallState
  readonly effect: Effect
}

/** A limit that was reached, in the words of the receipt's budget. */
export interface ReachedLimit {
  readonly stop: 'step_limit' | 'budget' | 'recovery_limit'
  readonly detail: string
}

/** Everything the decision rests on. Made from rows alone. */
export interface RunView {
  /** `cancelled` or `interrupted` once somebody asked for it. */
  readonly cancel: 'cancelled' | 'interrupted' | null
  /** The last message of the transcript that belongs to this run. */
  readonly last: 'user' | 'assistant'
  /** stop_reason of that message when the model wrote it. */
  readonly modelStop: string | null
  /** Tool calls of that message, in its order. */
  readonly calls: readonly CallView[]
  /** `pause_turn` answers in a row, that message included. */
  readonly pauses: number
  /** A loop was found: the model is asked once more, without tools, to sum up. */
  readonly summingUp: boolean
  /** The person was asked something: once the results are written the run is over. */
  readonly asked: boolean
  readonly limit: ReachedLimit | null
}

export type NextAction =
  | { readonly do: 'call_model'; readonly forbidTools: boolean }
  | { readonly do: 'run_tools' }
  | { readonly do: 'append_results' }
  /** Nothing can go on before somebody said something: the drive ends, the run does not. */
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

/** The first group that is not done decides: no call goes before one that acts, nor before what waits ahead of that. */
function afterCalls(calls: readonly CallView[]): NextAction {
  const open = groupCalls(calls)
    .map((group) => group.filter(({ state }) => state !== 'finished'))
    .find((group) => group.length > 0)
  if (!open) return { do: 'append_results' }
  return { do: open.every(({ state }) => state === 'waiting') ? 'wait' : 'run_tools' }
}

/** What the model's own stop_reason asks for; an unknown one stops safely. */
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
    // A message that was cut may hold half a tool call: nothing of it is run.
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return end('completed', 'truncated')
    default:
      return end(
        'failed',
        'model_error',
        `The model stopped for a reason Satchel does not know: ${view.modelStop}.`,
      )
  }
}

/** The next action of a run. Total: every state has exactly one. */
export function decide(view: RunView): NextAction {
  if (view.cancel) return end('cancelled', view.cancel)
  if (view.last === 'assistant') return afterAssistant(view)
  return view.asked ? end('completed', 'awaiting_input') : callModel(view)
}
