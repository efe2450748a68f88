// The item for a message of the user that joined a run. Pure.

import type { Message } from '../../agent/message.ts'
import { stringIn } from '../lib/fields.ts'

export interface SteeredItem {
  readonly kind: 'steered'
  /** As in every item. */
  readonly key: string
  readonly seq: number
  readonly text: string
}

export function steeredItem(message: Message, seq: number): SteeredItem {
  const text = message.content.flatMap((block) => stringIn(block, 'text') ?? []).join('\n')
  return { kind: 'steered', key: `steered:${message.id}`, seq, text }
}
