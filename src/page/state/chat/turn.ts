// The state of one question and its answer. Renders nothing.

import { signal, type Signal } from '@preact/signals'

import type { Message } from '../../../agent/message.ts'
import type { Effort } from '../../../agent/model.ts'
import type { RunBudget } from '../../../thread/api.ts'
import type { SentFile } from '../../run/files.ts'
import { hasEnded, newRun, type RunState } from '../../run/state.ts'
import type { Trouble } from '../../lib/failure.ts'

/** Settings that can be sent with a message. */
export interface Options {
  readonly model?: string
  /** The thread continues with `model` in a new context window. */
  readonly rebase?: true
  readonly effort?: Effort
  readonly budget?: Partial<RunBudget>
  readonly plan?: true
}

export interface TurnQuestion {
  readonly text: string
  readonly files: readonly SentFile[]
  /** The ID of the message, used to fork the thread before it. Null until it is known. */
  readonly messageId: string | null
  /** Number of messages before it in the thread. Absent or null until it is known. */
  readonly messagesBefore?: number | null
}

export interface Turn {
  /** Stable for the life of the turn. */
  readonly key: string
  readonly question: Signal<TurnQuestion>
  readonly run: Signal<RunState>
  /**
   * `refused`: no run was started, and the message can be sent again. `away`: the server cannot be reached, and the page keeps
   * trying. `broken`: the answer cannot be followed, but may continue on the server.
   */
  readonly connection: Signal<'good' | 'refused' | 'away' | 'broken'>
  /** The failure; null while `connection` is `good`. */
  readonly trouble: Signal<Trouble | null>
  /** The idempotency key of the message; '' if this page did not send it. */
  readonly sendKey: string
}

export function createTurn(key: string, question: TurnQuestion, run: RunState, sendKey = ''): Turn {
  return {
    key,
    question: signal(question),
    run: signal(run),
    connection: signal<'good' | 'refused' | 'away' | 'broken'>('good'),
    trouble: signal<Trouble | null>(null),
    sendKey,
  }
}

/** Creates a turn for an unfinished run. Events fill in its answer. */
export function createUnfinishedTurn(runId: string, question: TurnQuestion): Turn {
  return createTurn(runId, question, newRun(runId))
}

/** The messages of a thread by run ID, in the order in which the runs started. */
export function groupByRun(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const runs = new Map<string, Message[]>()
  for (const message of messages) {
    const runMessages = runs.get(message.run_id)
    if (runMessages) runMessages.push(message)
    else runs.set(message.run_id, [message])
  }
  return runs
}

/** Whether a turn is running or waiting. */
export function isActive({ run, connection }: Turn): boolean {
  return !hasEnded(run.value) && connection.value !== 'refused'
}
