// Sends the text of the message box into the running answer.

import type { Signal } from '@preact/signals'

import { describeFailure, type Trouble } from '../../lib/failure.ts'
import type { Conversation } from '../chat/conversation-api.ts'
import type { Attachments } from '../files/attachments.ts'
import type { Obstacles } from './obstacles.ts'

interface Wiring {
  readonly text: Signal<string>
  readonly trouble: Signal<Trouble | null>
  readonly conversation: Pick<Conversation, 'activeTurn' | 'steer'>
  readonly attachments: Pick<Attachments, 'take' | 'restoreChips'>
  readonly obstacles: Pick<Obstacles, 'filesAreReady'>
  readonly announce: (text: string) => void
  readonly send: () => Promise<void>
  /** Puts text back into the box. */
  readonly fill: (text: string) => void
}

/** Returns a function that sends the text and the attached files, like `send` if there is no answer. */
export function createSteer(wiring: Wiring): () => Promise<void> {
  const { text, trouble, conversation, attachments, obstacles, announce, send, fill } = wiring
  return async () => {
    if (conversation.activeTurn.peek() === null || text.peek().trim() === '') return send()
    if (!(await obstacles.filesAreReady())) return
    const steering = text.peek().trimEnd()
    // The answer may have ended during that wait.
    if (conversation.activeTurn.peek() === null || steering.trim() === '') return send()
    trouble.value = null
    text.value = ''
    const chips = attachments.take()
    const sent = await conversation.steer(
      steering,
      chips.flatMap(({ uploaded }) => uploaded ?? []),
    )
    if (sent.ok) return announce('Sent: the answer takes it up at its next step.')
    attachments.restoreChips(chips)
    fill(steering)
    const { error } = sent
    // A skill can be called only by a message that starts a run.
    const callsSkill = steering.startsWith('/') && error.kind === 'problem' && error.problem.status === 422
    if (callsSkill) return send()
    trouble.value = describeFailure('The message was not sent', error)
  }
}
