// The text of the status line, which is both shown and announced by screen readers.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import { progressOf } from '../../run/progress.ts'
import { markOf } from '../../run/outcome.ts'
import { hasEnded, type RunState } from '../../run/state.ts'
import type { Turn } from '../chat/turn.ts'

const SERVER_AWAY = 'The server cannot be reached. Trying again…'

export interface Status {
  readonly text: ReadonlySignal<string>
  readonly announce: (text: string) => void
}

export function createStatus(): Status {
  const text = signal('')
  return {
    text,
    announce: (message) => {
      text.value = message
    },
  }
}

/** Announces the state of the active turn whenever it changes. Returns a function that stops the announcements. */
export function announceProgress(
  active: ReadonlySignal<Turn | null>,
  announce: (text: string) => void,
): () => void {
  let followedTurn: Turn | null = null
  let message = ''
  return effect(() => {
    const turn = active.value
    if (turn) {
      followedTurn = turn
      const current = turn.connection.value === 'away' ? SERVER_AWAY : (progressOf(turn.run.value) ?? '')
      // If the message has not changed, do not overwrite other announcements.
      if (current !== message) announce(current)
      message = current
    } else if (followedTurn) {
      message = ''
      const run = followedTurn.run.peek()
      followedTurn = null
      announce(hasEnded(run) ? describeEnd(run) : '')
    }
  })
}

function describeEnd(run: RunState): string {
  if (run.status === 'failed') return 'The answer failed'
  if (run.status === 'cancelled') return 'Stopped'
  if (run.stopReason === 'awaiting_input') return 'A question for you'
  return markOf(run) ?? 'Answer complete'
}
