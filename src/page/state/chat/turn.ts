// One question and its answer, from the keystroke to the receipt. Never draws.

import { signal, type Signal } from '@preact/signals'

import type { Message } from '../../../agent/message.ts'
import type { SentFile } from '../../run/files.ts'
import { newRun, type RunState } from '../../run/state.ts'
import type { Trouble } from '../../lib/failure.ts'

export interface TurnQuestion {
  readonly text: string
  readonly files: readonly SentFile[]
  /** Null until the server has assigned it. A fork refers to it. */
  readonly messageId: string | null
}

export interface Turn {
  /** Stable for the life of the turn. */
  readonly key: string
  readonly question: Signal<TurnQuestion>
  readonly run: Signal<RunState>
  /**
   * `refused`: nothing was started, and the message can be sent again. `away`: the server cannot be reached; retrying. `broken`:
   * the answer cannot be followed, but may continue.
   */
  readonly line: Signal<'good' | 'refused' | 'away' | 'broken'>
  /** The failure, unless `line` is good. */
  readonly trouble: Signal<Trouble | null>
  /** Idempotency key of the send. */
  readonly sendKey: string
}

export function createTurn(key: string, question: TurnQuestion, run: RunState, sendKey = ''): Turn {
  return {
    key,
    question: signal(question),
    run: signal(run),
    line: signal<'good' | 'refused' | 'away' | 'broken'>('good'),
    trouble: signal<Trouble | null>(null),
    sendKey,
  }
}

/** A turn for a running run, filled by its events. */
export function openTurn(runId: string, question: TurnQuestion): Turn {
  return createTurn(runId, question, newRun(runId))
}

/** Messages of a thread by run, in the order the runs began. */
export function byRun(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const runs = new Map<string, Message[]>()
  for (const message of messages) {
    const own = runs.get(message.run_id)
    if (own) own.push(message)
    else runs.set(message.run_id, [message])
  }
  return runs
}
