// Threads created by this page that the server's list does not contain yet. Their title is the beginning of their first message.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { ThreadTree } from '../../../thread/api.ts'
import { threadTitle } from '../../../lib/title.ts'
import type { Conversation } from '../chat/conversation-api.ts'

export interface UnlistedThread {
  /** Null until the server has assigned it. */
  readonly id: string | null
  readonly title: string
  readonly time: string
}

/** The unlisted threads, newest first. `list`: the server's list. */
export function createUnlistedThreads(
  { threadId, turns }: Pick<Conversation, 'threadId' | 'turns'>,
  list: ReadonlySignal<readonly ThreadTree[] | null>,
  now: () => number,
): ReadonlySignal<readonly UnlistedThread[]> {
  const createdThreads = signal<readonly UnlistedThread[]>([])
  const pendingThread = signal<(UnlistedThread & { readonly key: string }) | null>(null)
  effect(() => {
    const [first] = turns.value
    const id = threadId.value
    const previousPending = pendingThread.peek()
    if (id === null) {
      if (previousPending?.key === first?.key) return
      const time = new Date(now()).toISOString()
      pendingThread.value = first
        ? { key: first.key, id, title: threadTitle(first.question.peek().text), time }
        : null
    } else if (previousPending) {
      pendingThread.value = null
      if (previousPending.key === first?.key)
        createdThreads.value = [{ ...previousPending, id }, ...createdThreads.peek()]
    }
  })
  // Forget a thread once the server's list has contained it: if it disappears from the list, it was deleted.
  const listedIds = new Set<string | null>()
  effect(() => {
    const titles = new Map(list.value?.map(({ root, tree }) => [root, tree.title]))
    const remaining = createdThreads.value.filter(({ id }) =>
      id !== null && titles.has(id) ? !titles.get(id) : !listedIds.has(id),
    )
    for (const { id } of remaining) if (id !== null && titles.has(id)) listedIds.add(id)
    if (remaining.length < createdThreads.value.length) createdThreads.value = remaining
  })
  return computed(() =>
    pendingThread.value ? [pendingThread.value, ...createdThreads.value] : createdThreads.value,
  )
}
