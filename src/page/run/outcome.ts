// Describes how a run ended and what helps after a failure. Pure.

import type { Trouble } from '../lib/failure.ts'
import type { RunState } from './state.ts'

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['answered', 'Answered'],
  ['awaiting_input', 'Waits for your answer'],
  ['refused', 'The model declined'],
  ['truncated', 'Cut off at the output limit'],
  ['loop_detected', 'Stopped: the agent repeated itself'],
  ['step_limit', 'Stopped at the step limit'],
  ['budget', 'Stopped at the limit of tokens, cost or time'],
  ['model_error', 'The model could not be reached'],
  ['context_overflow', 'The conversation is too long for the model'],
  ['recovery_limit', 'Stopped after too many restarts'],
  ['internal', 'The server failed'],
  ['cancelled', 'Stopped'],
  ['interrupted', 'Stopped for a newer message'],
])
/** Stop reasons that the line under an answer does not mention. */
const UNREMARKABLE = new Set(['answered', 'awaiting_input'])
/** What helps after failures that repeating the request cannot fix. */
const REMEDIES: Readonly<Record<string, Trouble['remedy']>> = {
  context_overflow: 'new',
  refused: null,
  budget: null,
}

type EndedRun = Pick<RunState, 'status' | 'stopReason' | 'error'>

export function outcomeOf({ status, stopReason }: EndedRun): string {
  return OUTCOMES.get(stopReason ?? '') ?? (status === 'failed' ? 'The run failed' : status)
}

/** How the run ended, for the line under an answer; null for a normal end. */
export function markOf(run: EndedRun): string | null {
  return run.status === 'failed' || UNREMARKABLE.has(run.stopReason ?? 'answered') ? null : outcomeOf(run)
}

/** The failure of a run, or null if it did not fail. */
export function troubleOf(run: EndedRun): Trouble | null {
  if (run.status !== 'failed') return null
  const { error, stopReason } = run
  const supportCodes = [error?.code, error?.request_id && `request ${error.request_id}`]
    .filter(Boolean)
    .join(' · ')
  const remedy = stopReason !== null && stopReason in REMEDIES ? (REMEDIES[stopReason] ?? null) : 'again'
  return { title: outcomeOf(run), detail: error?.detail ?? '', supportCodes, remedy }
}
