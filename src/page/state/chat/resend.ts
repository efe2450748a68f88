// Resends messages that did not reach the server, in order, as soon as it can be reached. Each message keeps the idempotency key
// of its first send, so it is never answered twice.

import { effect, untracked, type ReadonlySignal } from '@preact/signals'

import type { Conversation } from './conversation-api.ts'
import { untilAssigned } from '../composer/pending-sends.ts'

/** `reconnects`: incremented whenever the server can be reached again. */
export function resendWhenBack(
  reconnects: ReadonlySignal<number>,
  { turns, sendAgain }: Pick<Conversation, 'turns' | 'sendAgain'>,
): void {
  let isSending = false

  async function sendAll(): Promise<void> {
    if (isSending) return
    isSending = true
    for (const turn of turns.peek()) {
      // The turn may have been withdrawn in the meantime, or another thread opened.
      if (
        !turns.peek().includes(turn) ||
        turn.connection.peek() !== 'refused' ||
        !turn.trouble.peek()?.unreached
      )
        continue
      void sendAgain(turn)
      await untilAssigned(turn)
      if (turn.run.peek().runId === '') break
    }
    isSending = false
  }

  effect(() => {
    if (reconnects.value > 0) untracked(() => void sendAll())
  })
}
