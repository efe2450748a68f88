// The list of threads on the server, and the calls in them that wait for the user. Tabs notify each other of changes.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { renameThread, listThreadTrees } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { ApprovalInfo } from '../../../thread/approvals/api.ts'
import type { Page, ThreadTree } from '../../../thread/api.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import { PAGE_ENTRIES_MAX } from '../../lib/limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { stringIn } from '../../lib/fields.ts'
import { readPages } from '../../lib/pages.ts'

export interface Threads {
  /** The newest thread of each root, newest first; null until they have been read. */
  readonly list: ReadonlySignal<readonly ThreadTree[] | null>
  /** Whether the server has older threads. */
  readonly hasMore: ReadonlySignal<boolean>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** The calls that wait for the user, the longest waiting first; null until they have been read. */
  readonly approvals: ReadonlySignal<readonly ApprovalInfo[] | null>
  /** The IDs of the threads that wait for the user. */
  readonly waitingIds: ReadonlySignal<ReadonlySet<string>>
  /** Refreshes the newest page; `notify` also notifies other tabs. Calls during a refresh together cause one more refresh. */
  refresh(notify?: boolean): Promise<void>
  /** Appends a page of older threads. */
  readMore(): Promise<void>
  /** Renames a thread. The new title is shown immediately, and reverted if the server refuses it. */
  rename(id: string, title: string): Promise<Result<null, ClientFailure>>
  /** Removes a deleted thread from the list, also in other tabs. */
  readonly drop: (id: string) => void
}

export function createThreads(ports: Ports, client: ReadonlySignal<Client | null>): Threads {
  const list = signal<readonly ThreadTree[] | null>(null)
  const hasMore = signal(false)
  const trouble = signal<Trouble | null>(null)
  const approvals = signal<readonly ApprovalInfo[] | null>(null)
  const waitingIds = computed(() => new Set(approvals.value?.map(({ thread_id: id }) => id)))
  /** The cursor of the next page. */
  let cursor: string | null = null
  let refreshing: Promise<void> | null = null
  let mustRepeat = false
  let listClient: Client | null = null

  async function read(activeClient: Client): Promise<void> {
    const [newest, waiting] = await Promise.all([
      listThreadTrees(activeClient, { limit: PAGE_ENTRIES_MAX }),
      readPages<ApprovalInfo>(activeClient, { path: '/v1/approvals', pagesMax: 1 }),
    ])
    if (activeClient !== client.peek()) return
    trouble.value = newest.ok ? null : describeFailure('The threads could not be read', newest.error)
    if (newest.ok) mergeNewest(activeClient, newest.value)
    // Keep an equal list, so that hundreds of rows are not rendered again.
    if (waiting.ok && JSON.stringify(waiting.value) !== JSON.stringify(approvals.peek()))
      approvals.value = waiting.value
  }

  /** Puts the newest page into the list. Older threads that were read before remain in it. */
  function mergeNewest(activeClient: Client, { data, next_cursor: next }: Page<ThreadTree>): void {
    const oldest = data.at(-1)
    const previous = listClient === activeClient ? (list.peek() ?? []) : []
    const roots = new Set(data.map(({ root }) => root))
    const older =
      next === null || !oldest
        ? []
        : previous.filter((thread) => !roots.has(thread.root) && isOlder(thread, oldest))
    if (older.length === 0) cursor = next
    listClient = activeClient
    list.value = [...data, ...older]
    hasMore.value = cursor !== null
  }

  async function refresh(notify = false): Promise<void> {
    const activeClient = client.peek()
    if (!activeClient) {
      list.value = null
      approvals.value = null
      return
    }
    if (notify) ports.broadcast({ kind: 'threads' })
    mustRepeat = refreshing !== null
    refreshing ??= read(activeClient).finally(() => {
      refreshing = null
      if (mustRepeat) void refresh()
    })
    await refreshing
  }

  function setTitle(id: string, title: string): void {
    list.value =
      list
        .peek()
        ?.map((entry) => (hasThread(entry, id) ? { ...entry, tree: { ...entry.tree, title } } : entry)) ??
      null
  }

  function drop(id: string): void {
    const remaining = list.peek()?.map((entry) => (hasThread(entry, id) ? withoutThread(entry, id) : entry))
    list.value = remaining?.filter(({ tree }) => tree.count > 0) ?? null
  }

  ports.onBroadcast((message) => {
    const kind = stringIn(message, 'kind')
    if (kind === 'threads') void refresh()
    if (kind === 'dropped') drop(stringIn(message, 'id') ?? '')
  })

  return {
    list,
    hasMore,
    trouble,
    approvals,
    waitingIds,
    refresh,
    async readMore() {
      const activeClient = client.peek()
      if (!activeClient || cursor === null) return
      const older = await listThreadTrees(activeClient, { cursor, limit: PAGE_ENTRIES_MAX })
      if (activeClient !== client.peek()) return
      trouble.value = older.ok ? null : describeFailure('Older threads could not be read', older.error)
      if (!older.ok) return
      const previous = list.peek() ?? []
      const roots = new Set(previous.map(({ root }) => root))
      cursor = older.value.next_cursor
      list.value = [...previous, ...older.value.data.filter(({ root }) => !roots.has(root))]
      hasMore.value = cursor !== null
    },
    async rename(id, title) {
      const activeClient = client.peek()
      const previousTitle = list.peek()?.find((entry) => hasThread(entry, id))?.tree.title
      if (!activeClient) return { ok: true, value: null }
      setTitle(id, title)
      const result = await renameThread(activeClient, id, title)
      if (result.ok) await refresh(true)
      else if (previousTitle !== undefined) setTitle(id, previousTitle)
      return result.ok ? { ok: true, value: null } : result
    },
    drop(id) {
      drop(id)
      ports.broadcast({ kind: 'dropped', id })
    },
  }
}

/** Whether a thread comes after another in the server's order: by last change, then by ID. */
function isOlder(thread: ThreadTree, reference: ThreadTree): boolean {
  if (thread.updated_at !== reference.updated_at) return thread.updated_at < reference.updated_at
  return thread.id < reference.id
}

function hasThread({ tree }: ThreadTree, id: string): boolean {
  return tree.threads.some((thread) => thread.thread_id === id)
}

function withoutThread(entry: ThreadTree, id: string): ThreadTree {
  const { count, threads } = entry.tree
  const remaining = threads.filter((thread) => thread.thread_id !== id)
  return { ...entry, tree: { ...entry.tree, count: count - 1, threads: remaining } }
}
