// The one message that waits for the end of an answer: it goes when that ended well, and else comes back to its writer.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import { hasEnded } from '../../run/state.ts'
import type { Chip } from '../files/chip.ts'
import type { Turn } from '../chat/turn.ts'

/** Words and files on their way into a message. */
export interface QueuedMessage {
  readonly text: string
  readonly chips: readonly Chip[]
}

export interface Queue {
  readonly next: ReadonlySignal<QueuedMessage | null>
  /** False: one waits already. */
  put(message: QueuedMessage): boolean
  /** It does not wait any more; null: none did. */
  take(): QueuedMessage | null
  /** Another conversation is shown: what waited is not sent, and the answer that it waited for is not looked at. */
  reset(): void
}

export interface QueueWiring {
  /** The turn that is being answered; null: none. */
  readonly active: ReadonlySignal<Turn | null>
  readonly onSend: (message: QueuedMessage) => void
  readonly onBack: (message: QueuedMessage) => void
}

export function createQueue({ active, onSend, onBack }: QueueWiring): Queue {
  const next = signal<QueuedMessage | null>(null)
  let answering: Turn | null = null

  function take(): QueuedMessage | null {
    const message = next.peek()
    next.value = null
    return message
  }

  effect(() => {
    const turn = active.value
    if (turn) {
      answering = turn
      return
    }
    const run = answering?.run.peek()
    answering = null
    untracked(() => {
      if (!run || !hasEnded(run)) return
      const message = take()
      if (!message) return
      // After a stop, a failure or a question its writer may think again.
      const well = run.status === 'completed' && run.stopReason !== 'awaiting_input'
      if (well) onSend(message)
      else onBack(message)
    })
  })

  return {
    next,
    put(message) {
      if (next.peek()) return false
      next.value = message
      return true
    },
    take,
    reset() {
      next.value = null
      answering = null
    },
  }
}
