// The list of threads on the server, and which of them wait for the user. Tabs notify each other of changes.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { renameThread, threads as pageOfThreads } from '../../../client/threads.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { ApprovalInfo } from '../../../thread/approvals/api.ts'
import type { Page, ThreadInfo } from '../../../thread/api.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import { PAGE_ENTRIES } from '../../lib/limits.ts'
import type { Ports } from '../../lib/platform.ts'
import { field } from '../../lib/fields.ts'
import { readPages } from '../../lib/pages.ts'

export interface Threads {
  /** The threads, newest first; null until they have been read. */
  readonly list: ReadonlySignal<readonly ThreadInfo[] | null>
  /** Whether the server has older threads. */
  readonly more: ReadonlySignal<boolean>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** The IDs of the threads that wait for the user. */
  readonly waiting: ReadonlySignal<ReadonlySet<string>>
  /** Refreshes the newest page; `notify` also notifies other tabs. Calls during a refresh together cause one more refresh. */
  refresh(tell?: boolean): Promise<void>
  /** Appends a page of older threads. */
  readMore(): Promise<void>
  /** Renames a thread. The new title is shown immediately, and reverted if the server refuses it. */
  rename(id: string, title: string): Promise<Result<null, ClientFailure>>
  /** Removes a deleted thread from the list, also in other tabs. */
  readonly drop: (id: string) => void
}

export function createThreads(ports: Ports, client: ReadonlySignal<Client | null>): Threads {
  const list = signal<readonly ThreadInfo[] | null>(null)
  const more = signal(false)
  const failed = signal<Trouble | null>(null)
  const waiting = signal<ReadonlySet<string>>(new Set())
  /** The cursor of the next page. */
  let cursor: string | null = null
  let reading: Promise<void> | null = null
  let again = false
  let listOf: Client | null = null

  async function read(by: Client): Promise<void> {
    const [newest, approvals] = await Promise.all([
      pageOfThreads(by, { limit: PAGE_ENTRIES }),
      readPages<ApprovalInfo>(by, { path: '/v1/approvals', pages: 1 }),
    ])
    if (by !== client.peek()) return
    failed.value = newest.ok ? null : trouble('The threads could not be read', newest.error)
    if (newest.ok) put(by, newest.value)
    if (approvals.ok) waiting.value = new Set(approvals.value.map((one) => one.thread_id))
  }

  /** Puts the newest page into the list. Older threads that were read before remain in it. */
  function put(by: Client, { data, next_cursor: next }: Page<ThreadInfo>): void {
    const oldest = data.at(-1)
    const known = listOf === by ? (list.peek() ?? []) : []
    const ids = new Set(data.map(({ id }) => id))
    const older =
      next === null || !oldest ? [] : known.filter((one) => !ids.has(one.id) && isOlder(one, oldest))
    if (older.length === 0) cursor = next
    listOf = by
    list.value = [...data, ...older]
    more.value = cursor !== null
  }

  async function refresh(tell = false): Promise<void> {
    const by = client.peek()
    if (!by) {
      list.value = null
      waiting.value = new Set()
      return
    }
    if (tell) ports.tell({ kind: 'threads' })
    again = reading !== null
    reading ??= read(by).finally(() => {
      reading = null
      if (again) void refresh()
    })
    await reading
  }

  function change(id: string, title: string): void {
    list.value = list.peek()?.map((one) => (one.id === id ? { ...one, title } : one)) ?? null
  }

  function drop(id: string): void {
    list.value = list.peek()?.filter((one) => one.id !== id) ?? null
  }

  ports.onBroadcast((message) => {
    const kind = field(message, 'kind')
    if (kind === 'threads') void refresh()
    if (kind === 'dropped') drop(field(message, 'id') ?? '')
  })

  return {
    list,
    more,
    trouble: failed,
    waiting,
    refresh,
    async readMore() {
      const by = client.peek()
      if (!by || cursor === null) return
      const older = await pageOfThreads(by, { cursor, limit: PAGE_ENTRIES })
      if (by !== client.peek()) return
      failed.value = older.ok ? null : trouble('Older threads could not be read', older.error)
      if (!older.ok) return
      const known = list.peek() ?? []
      const ids = new Set(known.map(({ id }) => id))
      cursor = older.value.next_cursor
      list.value = [...known, ...older.value.data.filter(({ id }) => !ids.has(id))]
      more.value = cursor !== null
    },
    async rename(id, title) {
      const by = client.peek()
      const before = list.peek()?.find((one) => one.id === id)?.title
      if (!by) return { ok: true, value: null }
      change(id, title)
      const named = await renameThread(by, id, title)
      if (named.ok) await refresh(true)
      else if (before !== undefined) change(id, before)
      return named.ok ? { ok: true, value: null } : named
    },
    drop(id) {
      drop(id)
      ports.tell({ kind: 'dropped', id })
    },
  }
}

/** Whether a thread comes after another in the server's order: by last change, then by ID. */
function isOlder(one: ThreadInfo, than: ThreadInfo): boolean {
  if (one.updated_at !== than.updated_at) return one.updated_at < than.updated_at
  return one.id < than.id
}
