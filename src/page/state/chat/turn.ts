// One question and its answer, as the page follows it: from the keystroke to the receipt. Never draws.

import { signal, type Signal } from '@preact/signals'

import type { Message } from '../../../agent/message.ts'
import type { SentFile } from '../../run/files.ts'
import { newRun, type RunState } from '../../run/state.ts'
import type { Trouble } from '../../lib/failure.ts'

export interface Question {
  readonly text: string
  readonly files: readonly SentFile[]
  /** Null until the server says it: what a fork names. */
  readonly messageId: string | null
}

export interface Turn {
  /** The same for the life of the turn. */
  readonly key: string
  readonly question: Signal<Question>
  readonly run: Signal<RunState>
  /**
   * `refused`: nothing was started, and its words are for sending again; `away`: the server is not reached, and it is
   * tried on; `broken`: the answer cannot be followed, though it may go on.
   */
  readonly line: Signal<'good' | 'refused' | 'away' | 'broken'>
  /** Why, where the line is not good. */
  readonly trouble: Signal<Trouble | null>
  /** Of the send: the same again never starts a second run. */
  readonly sendKey: string
}

export function createTurn(key: string, question: Question, run: RunState, sendKey = ''): Turn {
  return {
    key,
    question: signal(question),
    run: signal(run),
    line: signal<'good' | 'refused' | 'away' | 'broken'>('good'),
    trouble: signal<Trouble | null>(null),
    sendKey,
  }
}

/** A turn for a run that goes on, whose frames will tell it. */
export function openTurn(runId: string, question: Question): Turn {
  return createTurn(runId, question, newRun(runId))
}

/** Messages of a thread by run, in the order in which the runs began. */
export function byRun(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const runs = new Map<string, Message[]>()
  for (const message of messages) {
    const own = runs.get(message.run_id)
    if (own) own.push(message)
    else runs.set(message.run_id, [message])
  }
  return runs
}
