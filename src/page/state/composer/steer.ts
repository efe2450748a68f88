// Sends the text of the message box into the running answer.

import type { Signal } from '@preact/signals'

import { describeFailure, type Trouble } from '../../lib/failure.ts'
import type { Conversation } from '../chat/conversation-api.ts'
import type { Attachments } from '../files/attachments.ts'

interface Wiring {
  readonly text: Signal<string>
  readonly trouble: Signal<Trouble | null>
  readonly conversation: Pick<Conversation, 'activeTurn' | 'steer'>
  readonly attachments: Pick<Attachments, 'chips'>
  readonly announce: (text: string) => void
  readonly send: () => Promise<void>
  /** Puts text back into the box. */
  readonly fill: (text: string) => void
}

/** Returns a function that sends the text, like `send` if there is no answer. */
export function createSteer(wiring: Wiring): () => Promise<void> {
  const { text, trouble, conversation, attachments, announce, send, fill } = wiring
  return async () => {
    const steering = text.peek().trimEnd()
    // Files and skill calls belong to a message of their own.
    const isPlain = attachments.chips.peek().length === 0 && !steering.startsWith('/')
    if (conversation.activeTurn.peek() === null || steering.trim() === '' || !isPlain) return send()
    trouble.value = null
    text.value = ''
    const sent = await conversation.steer(steering)
    if (sent.ok) return announce('Sent: the answer takes it up at its next step.')
    fill(steering)
    trouble.value = describeFailure('The message was not sent', sent.error)
  }
}
