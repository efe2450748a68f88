// Computes the rows of the thread list: the server's threads and new ones, without those being deleted.

import { computed, type ReadonlySignal } from '@preact/signals'

import type { Conversation } from '../chat/conversation.ts'
import type { Deletions } from './deletions.ts'
import type { UnlistedThread } from './unlisted.ts'
import type { Threads } from './threads.ts'

export interface ListedThread {
  /** Null until the server has assigned it. */
  readonly id: string | null
  readonly title: string
  /** When the thread last changed. */
  readonly time: string
  /** Whether an answer is running. */
  readonly isBusy: boolean
  /** Whether the thread waits for the user. */
  readonly isWaiting: boolean
}

export const UNTITLED = 'New thread'

export function createRows(
  threads: Pick<Threads, 'list' | 'waitingIds'>,
  unlisted: ReadonlySignal<readonly UnlistedThread[]>,
  { hiddenIds }: Pick<Deletions, 'hiddenIds'>,
  conversation: Pick<Conversation, 'threadId' | 'turns' | 'activeTurn'>,
): ReadonlySignal<readonly ListedThread[] | null> {
  return computed(() => {
    const newThreads = unlisted.value
    if (threads.list.value === null && newThreads.length === 0) return null
    const titles = new Map(newThreads.map(({ id, title }) => [id, title]))
    const serverThreads = threads.list.value ?? []
    const ids = new Set(serverThreads.map(({ id }) => id))
    const waitingIds = threads.waitingIds.value
    // The server's list may be out of date. For the open thread, its turns on this page are current.
    const isAnswering = (id: string | null, fallback: boolean): boolean =>
      id === conversation.threadId.value && conversation.turns.value.length > 0
        ? conversation.activeTurn.value !== null
        : fallback
    const newRows = newThreads
      .filter(({ id }) => id === null || !ids.has(id))
      .map(({ id, title, time }) => ({ id, title, time, isBusy: isAnswering(id, true), isWaiting: false }))
    const listedRows = serverThreads.map(({ id, title, updated_at: time, status }) => {
      const isWaiting = waitingIds.has(id)
      return {
        id,
        title: title || (titles.get(id) ?? UNTITLED),
        time,
        isBusy: !isWaiting && isAnswering(id, status === 'busy'),
        isWaiting,
      }
    })
    return [...newRows, ...listedRows].filter(({ id }) => id === null || !hiddenIds.value.has(id))
  })
}
