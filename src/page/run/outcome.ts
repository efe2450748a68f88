// Describes how a run ended, and the one action that helps. Pure.

import { outcomeText } from '../../client/run-text.ts'
import type { Trouble } from '../lib/failure.ts'
import { hasEnded, type RunState } from './state.ts'

/** Stop reasons that need no notice. */
const UNREMARKABLE = new Set(['answered', 'awaiting_input', 'compacted'])

/** How a run ended, shown as a notice below the answer. */
export interface Ending {
  /** `quiet`: as a person wanted; `info`: before the answer was complete; `bad`: a failure. */
  readonly tone: 'quiet' | 'info' | 'bad'
  readonly text: string
  /** `continue`: ask for the rest; `edit`: ask in another way; `again`: ask the same; `new`: start a new thread; null if no action helps. */
  readonly action: 'continue' | 'edit' | Extract<Trouble['remedy'], 'again' | 'new'> | null
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  refused: { tone: 'info', text: 'The model declined to go on.', action: 'edit' },
  truncated: { tone: 'info', text: 'The answer reached its length limit.', action: 'continue' },
  step_limit: { tone: 'info', text: 'The agent reached its limit of steps.', action: 'continue' },
  budget: { tone: 'info', text: 'The agent reached its limit of tokens, cost or time.', action: 'continue' },
  loop_detected: { tone: 'quiet', text: 'Stopped, because the agent repeated itself', action: null },
  cancelled: { tone: 'quiet', text: 'Stopped', action: null },
  interrupted: { tone: 'quiet', text: 'Stopped for a newer message', action: null },
  model_error: { tone: 'bad', text: 'The model could not be reached.', action: 'again' },
  context_overflow: {
    tone: 'bad',
    text: 'This conversation is too long for the model.',
    action: 'new',
  },
  recovery_limit: {
    tone: 'bad',
    text: 'The server restarted too often during this answer.',
    action: 'again',
  },
}
const FAILED: Ending = { tone: 'bad', text: 'Something went wrong on the server.', action: 'again' }

type EndedRun = Pick<RunState, 'status' | 'stopReason'>

export function outcomeOf({ status, stopReason }: EndedRun): string {
  return outcomeText(status, stopReason)
}

/** How the run ended, for the status line; null for a normal end. */
export function markOf(run: EndedRun): string | null {
  return run.status === 'failed' || UNREMARKABLE.has(run.stopReason ?? 'answered') ? null : outcomeOf(run)
}

/** The notice below an answer, or null for a normal end and while the run continues. */
export function endingOf(run: EndedRun & Pick<RunState, 'items' | 'error'>): Ending | null {
  // The detail says which cap was reached, and when it opens again.
  if (run.stopReason === 'quota_exceeded' && run.error)
    return { tone: 'info', text: run.error.detail, action: null }
  if (run.stopReason === 'compacted' && run.items.length === 0)
    return { tone: 'quiet', text: 'There is nothing to compact', action: null }
  if (!hasEnded(run) || (run.status !== 'failed' && UNREMARKABLE.has(run.stopReason ?? 'answered')))
    return null
  const ending = ENDINGS[run.stopReason ?? ''] ?? (run.status === 'failed' ? FAILED : null)
  // A limit that allowed no output at all would end the continuation, too.
  return ending?.action === 'continue' && run.items.length === 0 ? { ...ending, action: null } : ending
}
