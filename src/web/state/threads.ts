// The list of threads and which of them wait for a person, the same in all tabs. Never opens one.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../client/client.ts'
import type { ApprovalInfo, ThreadInfo } from '../../thread/api.ts'
import { trouble, type Trouble } from '../lib/failure.ts'
import type { Ports } from '../platform.ts'
import { readAll } from './pages.ts'

export interface Threads {
  /** Newest first; null: not read yet. */
  readonly list: ReadonlySignal<readonly ThreadInfo[] | null>
  readonly more: ReadonlySignal<boolean>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Ids of those that wait for the reader. */
  readonly waiting: ReadonlySignal<ReadonlySet<string>>
  /** Reads the list anew; `tell`: other tabs, too. */
  refresh(tell?: boolean): Promise<void>
  readMore(): Promise<void>
}

export function createThreads(ports: Ports, client: ReadonlySignal<Client | null>): Threads {
  const list = signal<readonly ThreadInfo[] | null>(null)
  const more = signal(false)
  const failed = signal<Trouble | null>(null)
  const waiting = signal<ReadonlySet<string>>(new Set())
  let pages = 1

  async function refresh(tell = false): Promise<void> {
    const by = client.peek()
    if (!by) return
    if (tell) ports.tell({ kind: 'threads' })
    const [threads, asked] = await Promise.all([
      readAll<ThreadInfo>(by, '/v1/threads', pages),
      readAll<ApprovalInfo>(by, '/v1/approvals', 1),
    ])
    if (by !== client.peek()) return
    failed.value = threads.ok ? null : trouble('The threads could not be read', threads.error)
    if (threads.ok) {
      list.value = threads.value.data
      more.value = threads.value.more
    }
    if (asked.ok) waiting.value = new Set(asked.value.data.map((one) => one.thread_id))
  }

  ports.hear((message) => {
    if (typeof message === 'object' && message && Reflect.get(message, 'kind') === 'threads') void refresh()
  })

  return {
    list,
    more,
    trouble: failed,
    waiting,
    refresh,
    readMore: async () => {
      pages++
      await refresh()
    },
  }
}
