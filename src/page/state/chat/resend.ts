// Sends again what reached nobody, as soon as the server is reached, in the order in which it was written. Never a second run:
// each goes under the key of its first send.

import { effect, untracked, type ReadonlySignal } from '@preact/signals'

import type { Conversation } from './conversation.ts'
import { named } from '../composer/underway.ts'

/** `backs`: raised each time that the server is reached again. */
export function resendWhenBack(
  backs: ReadonlySignal<number>,
  { turns, sendAgain }: Pick<Conversation, 'turns' | 'sendAgain'>,
): void {
  let going = false

  async function sendAll(): Promise<void> {
    if (going) return
    going = true
    for (const turn of turns.peek()) {
      // It may have been taken back, or left, meanwhile.
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
