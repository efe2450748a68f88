// Threads created by this page that the server's list does not contain yet. Their title is the beginning of their first message.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { ThreadInfo } from '../../../thread/api.ts'
import { threadTitle } from '../../../lib/title.ts'
import type { Conversation } from '../chat/conversation.ts'

export interface Unlisted {
  /** Null until the server has assigned it. */
  readonly id: string | null
  readonly title: string
  readonly time: string
}

/** The unlisted threads, newest first. `list`: the server's list. */
export function createUnlisted(
  { threadId, turns }: Pick<Conversation, 'threadId' | 'turns'>,
  list: ReadonlySignal<readonly ThreadInfo[] | null>,
  now: () => number,
): ReadonlySignal<readonly Unlisted[]> {
  const created = signal<readonly Unlisted[]>([])
  const pending = signal<(Unlisted & { readonly key: string }) | null>(null)
  effect(() => {
    const [first] = turns.value
    const id = threadId.value
    const pendingThread = pending.peek()
    if (id === null) {
      if (pendingThread?.key === first?.key) return
      const time = new Date(now()).toISOString()
      pending.value = first
        ? { key: first.key, id, title: threadTitle(first.question.peek().text), time }
        : null
    } else if (pendingThread) {
      pending.value = null
      if (pendingThread.key === first?.key) created.value = [{ ...pendingThread, id }, ...created.peek()]
    }
  })
  // Forget a thread once the server's list has contained it: if it disappears from the list, it was deleted.
  const listedIds = new Set<string | null>()
  effect(() => {
    const titles = new Map(list.value?.map(({ id, title }) => [id, title]))
    const remaining = created.value.filter(({ id }) =>
      id !== null && titles.has(id) ? !titles.get(id) : !listedIds.has(id),
    )
    for (const { id } of remaining) if (id !== null && titles.has(id)) listedIds.add(id)
    if (remaining.length < created.value.length) created.value = remaining
  })
  return computed(() => (pending.value ? [pending.value, ...created.value] : created.value))
}
