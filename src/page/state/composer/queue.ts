// The queued message, of which there is at most one. It is sent if the answer completes, and otherwise returned to the box.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import { hasEnded } from '../../run/state.ts'
import type { Chip } from '../files/chip.ts'
import type { Turn } from '../chat/turn.ts'

/** The text and files of a message to be sent. */
export interface QueuedMessage {
  readonly text: string
  readonly chips: readonly Chip[]
}

export interface Queue {
  readonly queuedMessage: ReadonlySignal<QueuedMessage | null>
  /** Queues a message. Returns false if one is already queued. */
  put(message: QueuedMessage): boolean
  /** Removes and returns the queued message, or null. */
  take(): QueuedMessage | null
  /** Drops the queued message and stops watching the answer, because another conversation is shown. */
  reset(): void
}

export interface QueueWiring {
  /** The turn being answered, or null. */
  readonly activeTurn: ReadonlySignal<Turn | null>
  readonly onSend: (message: QueuedMessage) => void
  readonly onReturn: (message: QueuedMessage) => void
}

export function createQueue({ activeTurn, onSend, onReturn }: QueueWiring): Queue {
  const queuedMessage = signal<QueuedMessage | null>(null)
  let answeredTurn: Turn | null = null

  function take(): QueuedMessage | null {
    const message = queuedMessage.peek()
    queuedMessage.value = null
    return message
  }

  effect(() => {
    const turn = activeTurn.value
    if (turn) {
      answeredTurn = turn
      return
    }
    const run = answeredTurn?.run.peek()
    answeredTurn = null
    untracked(() => {
      if (!run || !hasEnded(run)) return
      const message = take()
      if (!message) return
      // After a stop, a failure or a question from the agent, the user may want to change the message.
      const isCompleted = run.status === 'completed' && run.stopReason !== 'awaiting_input'
      if (isCompleted) onSend(message)
      else onReturn(message)
    })
  })

  return {
    queuedMessage,
    put(message) {
      if (queuedMessage.peek()) return false
      queuedMessage.value = message
      return true
    },
    take,
    reset() {
      queuedMessage.value = null
      answeredTurn = null
    },
  }
}
