// How full the open thread's window is, and what it cost so far: as the server tells it when an answer has ended.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../client/client.ts'
import type { ThreadInfo } from '../../thread/api.ts'
import type { Conversation } from './conversation.ts'

type Told = ThreadInfo & { readonly context_tokens?: number }

/** The open thread; null: a new one, or not read yet. */
export function createUsage(
  client: ReadonlySignal<Client | null>,
  { threadId, active }: Pick<Conversation, 'threadId' | 'active'>,
): ReadonlySignal<Told | null> {
  const info = signal<Told | null>(null)
  effect(() => {
    const by = client.value
    const id = threadId.value
    const busy = active.value !== null
    if (!by || id === null) info.value = null
    else if (info.peek()?.id !== id) info.value = null
    if (by && id !== null && !busy) void read(by, id)
  })
  async function read(by: Client, id: string): Promise<void> {
    const told = await by.json<Told>('GET', `/v1/threads/${encodeURIComponent(id)}`)
    if (told.ok && threadId.peek() === id && by === client.peek() && told.value.body.id === id)
      info.value = told.value.body
  }
  return info
}

/** How full, in whole percent of the window; null: not known. */
export function fullness(info: Told | null, window: number | null | undefined): number | null {
  if (!info?.context_tokens || !window) return null
  return Math.min(100, Math.round((info.context_tokens / window) * 100))
}
