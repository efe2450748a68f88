// What the server says of the open thread itself: its title, and which thread it branched off from or gave branches to.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../client/client.ts'
import type { ThreadInfo } from '../../thread/api.ts'
import type { Conversation } from './conversation.ts'
import type { Threads } from './threads.ts'

/** As the contract has it since threads can be forked. */
type Told = ThreadInfo & {
  readonly forked_from?: { readonly thread_id: string; readonly message_id: string } | null
  readonly branches?: readonly { readonly thread_id: string; readonly created_at: string }[]
}

export type Opened = ReadonlySignal<Told | null>

/** Read when a thread is opened, and when the list says that it changed. Null: a new one, or not read yet. */
export function createOpened(
  client: ReadonlySignal<Client | null>,
  { threadId }: Pick<Conversation, 'threadId'>,
  { list }: Pick<Threads, 'list'>,
): Opened {
  const info = signal<Told | null>(null)
  let asked = ''
  effect(() => {
    const by = client.value
    const id = threadId.value
    const changed = list.value?.find((one) => one.id === id)
    if (info.peek()?.id !== id) info.value = null
    if (!by || id === null) {
      asked = ''
      return
    }
    const version = `${id} ${changed?.updated_at ?? ''} ${changed?.title ?? ''}`
    if (version === asked) return
    asked = version
    untracked(() => void read(by, id))
  })
  async function read(by: Client, id: string): Promise<void> {
    const told = await by.json<Told>('GET', `/v1/threads/${encodeURIComponent(id)}`)
    // A list of nothing is what a stand-in answers.
    if (told.ok && threadId.peek() === id && told.value.body.id === id) info.value = told.value.body
  }
  return info
}
