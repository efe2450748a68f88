// The loop: decides the next action of a run from its rows. Pure, so that a run decides the same with and without a
// crash.

import { CUT_CONTINUATIONS_MAX, PAUSE_TURNS_MAX } from './limits.ts'
import type { RunStopReason } from './events.ts'
import { groupCalls } from './call-groups.ts'
import type { NoticeKind } from './notices.ts'
import type { Effect } from './tool.ts'

/** A `waiting` call waits for a person's decision, or for the result of a server that it has reached. */
export type CallState = 'planned' | 'started' | 'waiting' | 'finished'

export interface CallView {
  readonly state: CallState
  readonly effect: Effect
}

/** A limit that the run has reached. */
export interface ReachedLimit {
  readonly stop: 'step_limit' | 'budget' | 'quota_exceeded' | 'recovery_limit' | 'internal'
  readonly detail: string
}

/** Everything that the decision depends on, read only from the run's rows. */
export interface RunView {
  /** How the run is to be cancelled, or null if no cancellation was requested. */
  readonly cancel: 'cancelled' | 'interrupted' | null
  /** The role of this run's last message in the transcript. */
  readonly last: 'user' | 'assistant'
  /** The stop_reason of that message, or null if the model did not write it. */
  readonly modelStop: string | null
  /** The tool calls in that message, in order. */
  readonly calls: readonly CallView[]
  /** The number of consecutive `pause_turn` responses, including that message. */
  readonly pauses: number
  /** How often the text that ends with that message was continued after the output limit had cut it off. */
  readonly continuations: number
  /** True if that message follows tool results and has nothing for the reader, and the model was not asked again. */
  readonly isEmptyAnswer: boolean
  /** True if items of the thread's plan are not completed, and the model was not reminded of them in this run. */
  readonly hasOpenPlan: boolean
  /** True if a loop was detected: the run makes one last model call, without tools, to sum up. */
  readonly summingUp: boolean
  /** True if the model asked the person a question: the run ends once the results are written. */
  readonly awaitsInput: boolean
  /** True if a message waits to join the run. */
  readonly isSteered: boolean
  readonly limit: ReachedLimit | null
  /** True if the window has to be replaced before the next call. */
  readonly compactionDue: boolean
  /** True if the run only replaces the window. */
  readonly onlyCompacts: boolean
}

export type NextAction =
  | { readonly do: 'call_model'; readonly forbidTools: boolean }
  /** Replaces the window, or tries to. */
  | { readonly do: 'compact'; readonly forbidTools: boolean }
  | { readonly do: 'run_tools' }
  | { readonly do: 'append_results' }
  /**
   * Adds the messages that steer the run, and calls the model. If the budget covers no further call, the run ends as
   * `otherwise` says, and they become the next run.
   */
  | { readonly do: 'join_steered'; readonly otherwise: RunEnd | null }
  /** Asks the model to go on. If the budget covers no further call, the run ends as `otherwise` says. */
  | { readonly do: 'ask_again'; readonly why: NoticeKind; readonly otherwise: RunEnd }
  /** Nothing can continue until a person decides or a server has its result. The execution ends; the run does not. */
  | { readonly do: 'wait' }
  | RunEnd

export interface RunEnd {
  readonly do: 'end'
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly stop: RunStopReason
  readonly detail: string | null
}

function end(status: RunEnd['status'], stop: RunStopReason, detail: string | null = null): RunEnd {
  return { do: 'end', status, stop, detail }
}

function callModel(view: RunView): NextAction {
  if (view.limit) return end('failed', view.limit.stop, view.limit.detail)
  // A run that only compacts answers nobody; what steers it becomes the next run.
  if (view.isSteered && view.last === 'user' && !view.onlyCompacts)
    return { do: 'join_steered', otherwise: null }
  return { do: view.compactionDue ? 'compact' : 'call_model', forbidTools: view.summingUp }
}

/**
 * The unfinished calls of the first group that has any. They decide: later groups wait until all calls before them are
 * finished.
 */
function nextCalls(calls: readonly CallView[]): readonly CallView[] {
  return (
    groupCalls(calls)
      .map((group) => group.filter(({ state }) => state !== 'finished'))
      .find((group) => group.length > 0) ?? []
  )
}

/** Whether no call can be made before the end of a wait. */
export function waitsForCalls(calls: readonly CallView[]): boolean {
  const next = nextCalls(calls)
  return next.length > 0 && next.every(({ state }) => state === 'waiting')
}

function actionForCalls(calls: readonly CallView[]): NextAction {
  if (nextCalls(calls).length === 0) return { do: 'append_results' }
  return { do: waitsForCalls(calls) ? 'wait' : 'run_tools' }
}

function answered(view: RunView): NextAction {
  const otherwise = end('completed', view.summingUp ? 'loop_detected' : 'answered')
  if (view.limit) return otherwise
  if (view.isSteered && !view.summingUp) return { do: 'join_steered', otherwise }
  if (view.isEmptyAnswer) return { do: 'ask_again', why: 'empty', otherwise }
  return view.hasOpenPlan && !view.summingUp ? { do: 'ask_again', why: 'plan', otherwise } : otherwise
}

/** Acts on the model's stop_reason. An unknown reason fails the run. */
function actionForResponse(view: RunView): NextAction {
  switch (view.modelStop ?? 'none') {
    case 'tool_use':
      if (view.calls.length === 0) return end('completed', view.summingUp ? 'loop_detected' : 'answered')
      if (view.limit) return end('failed', view.limit.stop, view.limit.detail)
      return actionForCalls(view.calls)
    case 'end_turn':
    case 'stop_sequence':
      return answered(view)
    case 'pause_turn':
      if (view.pauses < PAUSE_TURNS_MAX) return callModel(view)
      return end(
        'failed',
        'model_error',
        `The model paused its turn ${view.pauses} consecutive times without finishing. Send the message again.`,
      )
    case 'refusal':
      return end('completed', 'refused')
    // The message may contain an incomplete tool call, so none of its calls are made.
    case 'max_tokens': {
      const otherwise = end('completed', 'truncated')
      if (view.isSteered && !view.limit) return { do: 'join_steered', otherwise }
      if (view.continuations >= CUT_CONTINUATIONS_MAX || view.limit) return otherwise
      return { do: 'ask_again', why: 'cut', otherwise }
    }
    case 'model_context_window_exceeded':
      return end('completed', 'truncated')
    default:
      return end('failed', 'model_error', `The model stopped for an unknown reason: ${view.modelStop}.`)
  }
}

/** The next action of a run. Every possible state has exactly one. */
export function decide(view: RunView): NextAction {
  if (view.cancel) return end('cancelled', view.cancel)
  if (view.onlyCompacts && !view.compactionDue) return end('completed', 'compacted')
  if (view.last === 'assistant') return actionForResponse(view)
  return view.awaitsInput ? end('completed', 'awaiting_input') : callModel(view)
}
