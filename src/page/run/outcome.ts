// How a run ended, in words, and what helps where it went wrong. Pure.

import type { Trouble } from '../lib/failure.ts'
import type { RunState } from './state.ts'

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['answered', 'Answered'],
  ['awaiting_input', 'Waits for your answer'],
  ['refused', 'The model declined'],
  ['truncated', 'Cut off at the limit of an answer'],
  ['loop_detected', 'Stopped: it was going in circles'],
  ['step_limit', 'Stopped at the limit of steps'],
  ['budget', 'Stopped at the limit of tokens, money or time'],
  ['model_error', 'The model could not be asked'],
  ['context_overflow', 'The conversation is too long for the model'],
  ['recovery_limit', 'Stopped after too many restarts'],
  ['internal', 'The server failed'],
  ['cancelled', 'Stopped'],
  ['interrupted', 'Stopped for a newer message'],
])
/** What a person needs not be told. */
const PLAIN = new Set(['answered', 'awaiting_input'])
/** Nothing fixes these by being asked once more. */
const HELP: Readonly<Record<string, Trouble['help']>> = {
  context_overflow: 'new',
  refused: null,
  budget: null,
}

type Ended = Pick<RunState, 'status' | 'stopReason' | 'error'>

export function outcomeOf({ status, stopReason }: Ended): string {
  return OUTCOMES.get(stopReason ?? '') ?? (status === 'failed' ? 'The run failed' : status)
}

/** What the line under an answer begins with: how it ended, where that is worth a word; null: as it should. */
export function markOf(run: Ended): string | null {
  return run.status === 'failed' || PLAIN.has(run.stopReason ?? 'answered') ? null : outcomeOf(run)
}

/** Null: it did not fail. */
export function troubleOf(run: Ended): Trouble | null {
  if (run.status !== 'failed') return null
  const { error, stopReason } = run
  const marks = [error?.code, error?.request_id && `request ${error.request_id}`].filter(Boolean).join(' · ')
  const help = stopReason !== null && stopReason in HELP ? (HELP[stopReason] ?? null) : 'again'
  return { title: outcomeOf(run), detail: error?.detail ?? '', marks, help }
}
