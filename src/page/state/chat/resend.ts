// Resends messages that did not reach the server, in order, as soon as it can be reached. Idempotent: each keeps the key of its
// first send.

import { effect, untracked, type ReadonlySignal } from '@preact/signals'

import type { Conversation } from './conversation.ts'
import { named } from '../composer/underway.ts'

/** `backs`: incremented whenever the server can be reached again. */
export function resendWhenBack(
  backs: ReadonlySignal<number>,
  { turns, sendAgain }: Pick<Conversation, 'turns' | 'sendAgain'>,
): void {
  let going = false

  async function sendAll(): Promise<void> {
    if (going) return
    going = true
    for (const turn of turns.peek()) {
      // It may have been withdrawn or left in the meantime.
      if (!turns.peek().includes(turn) || turn.line.peek() !== 'refused' || !turn.trouble.peek()?.unreached)
        continue
      void sendAgain(turn)
      await named(turn)
      if (turn.run.peek().runId === '') break
    }
    going = false
  }

  effect(() => {
    if (backs.value > 0) untracked(() => void sendAll())
  })
}
