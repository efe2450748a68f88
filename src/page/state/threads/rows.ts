// Computes the rows of the thread list: the server's threads and new ones, without those being deleted. The branches of a thread
// are one row.

import { computed, type ReadonlySignal } from '@preact/signals'

import type { Conversation } from '../chat/conversation-api.ts'
import type { Deletions } from './deletions.ts'
import type { LastViewed } from './last-viewed.ts'
import type { UnlistedThread } from './unlisted.ts'
import type { Threads } from './threads.ts'

export interface ListedThread {
  /** The thread that the row opens: the branch viewed last, or else the newest. Null until the server has assigned it. */
  readonly id: string | null
  /** The thread and its branches. The one that names them is the first. Empty until the server has assigned the thread. */
  readonly threadIds: readonly string[]
  readonly title: string
  /** When a branch last changed. */
  readonly time: string
  /** Whether an answer is running. */
  readonly isBusy: boolean
  /** Whether a branch waits for the user. */
  readonly isWaiting: boolean
}

export const UNTITLED = 'New thread'

/** The row of a thread, which may be one of its branches. */
export function rowOf(
  rows: readonly ListedThread[] | null,
  id: string | null,
  root: string | null = null,
): ListedThread | undefined {
  return rows?.find((row) =>
    id === null
      ? row.id === null
      : row.threadIds.includes(id) || (root !== null && row.threadIds.includes(root)),
  )
}

export function createRows(
  list: Threads['list'],
  waitingThreadIds: Threads['waitingIds'],
  unlisted: ReadonlySignal<readonly UnlistedThread[]>,
  { hiddenIds }: Pick<Deletions, 'hiddenIds'>,
  conversation: Pick<Conversation, 'threadId' | 'turns' | 'activeTurn'>,
  lastViewed: LastViewed,
): ReadonlySignal<readonly ListedThread[] | null> {
  return computed(() => {
    const newThreads = unlisted.value
    if (list.value === null && newThreads.length === 0) return null
    const titles = new Map(newThreads.map(({ id, title }) => [id, title]))
    const entries = list.value ?? []
    const listedRoots = new Set(entries.map(({ root }) => root))
    const waitingIds = waitingThreadIds.value
    // The server's list may be out of date. For the open thread, its turns on this page are current.
    const isAnswering = (id: string | null, fallback: boolean): boolean =>
      id === conversation.threadId.value && conversation.turns.value.length > 0
        ? conversation.activeTurn.value !== null
        : fallback
    const newRows = newThreads
      .filter(({ id }) => id === null || !(listedRoots.has(id) || hiddenIds.value.has(id)))
      .map(({ id, title, time }): ListedThread => {
        const threadIds = id === null ? [] : [id]
        return { id, threadIds, title, time, isBusy: isAnswering(id, true), isWaiting: false }
      })
    const listedRows = entries.flatMap(({ root, updated_at: time, tree }): ListedThread | [] => {
      const shown = tree.threads.filter(({ thread_id: id }) => !hiddenIds.value.has(id))
      const ids = shown.map(({ thread_id: id }) => id)
      const viewed = lastViewed.of(root)
      const id = viewed !== null && ids.includes(viewed) ? viewed : ids[0]
      if (id === undefined) return []
      return {
        id,
        threadIds: ids.includes(root) ? [root, ...ids.filter((other) => other !== root)] : ids,
        title: tree.title || (titles.get(root) ?? UNTITLED),
        time,
        isBusy: shown.some(
          ({ thread_id: own, status }) => !waitingIds.has(own) && isAnswering(own, status === 'busy'),
        ),
        isWaiting: ids.some((own) => waitingIds.has(own)),
      }
    })
    return [...newRows, ...listedRows]
  })
}
