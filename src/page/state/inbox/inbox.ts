// The calls that wait for the user in all threads, and those answered since the inbox was opened, which stay in their places.

import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { ApprovalInfo } from '../../../thread/approvals/api.ts'
import type { ApprovalItem } from '../../run/items.ts'
import type { Session } from '../key/session.ts'
import type { Deletions } from '../threads/deletions.ts'
import type { Threads } from '../threads/threads.ts'

export interface InboxEntry {
  readonly item: ApprovalItem
  readonly requestedAt: string
}

export interface Inbox {
  /** The waiting and answered calls, the oldest first; null until they have been read. */
  readonly entries: ReadonlySignal<readonly InboxEntry[] | null>
  /** Number of calls that wait. */
  readonly count: ReadonlySignal<number>
  /** The IDs of the threads with a call that waits. */
  readonly waitingIds: ReadonlySignal<ReadonlySet<string>>
  /** Call this after the server has saved the answer. */
  recordAnswer(entry: InboxEntry, decision: 'approve' | 'deny', by: string): void
  /** Removes the answered calls, when the inbox is closed. */
  clearAnswered(): void
}

export interface InboxWiring {
  readonly client: Session['client']
  readonly threads: Pick<Threads, 'approvals'>
  readonly deletions: Pick<Deletions, 'hiddenIds'>
}

export function createInbox({ client, threads, deletions }: InboxWiring): Inbox {
  const answered = signal<readonly InboxEntry[]>([])
  const waiting = computed(() => {
    const shown = threads.approvals.value?.filter(({ thread_id: id }) => !deletions.hiddenIds.value.has(id))
    // The list may have been read before the answer.
    return shown
      ?.map(entryOf)
      .filter(
        ({ item }) =>
          !answered.value.some((entry) => entry.item.key === item.key && entry.item.digest === item.digest),
      )
  })
  effect(() => {
    if (!client.value) untracked(() => (answered.value = []))
  })
  return {
    entries: computed(() => {
      const open = waiting.value
      if (!open) return null
      // If a changed request replaced an answered one, only the new request is shown.
      const closed = answered.value.filter(({ item }) => !open.some((entry) => entry.item.key === item.key))
      return [...open, ...closed].toSorted((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1))
    }),
    count: computed(() => waiting.value?.length ?? 0),
    waitingIds: computed(() => new Set(waiting.value?.map(({ item }) => item.threadId))),
    recordAnswer({ item, requestedAt }, decision, by) {
      const others = answered.peek().filter((other) => other.item.key !== item.key)
      answered.value = [...others, { item: { ...item, decision, decidedBy: by }, requestedAt }]
    },
    clearAnswered: () => void (answered.value = []),
  }
}

function entryOf(info: ApprovalInfo): InboxEntry {
  return {
    requestedAt: info.requested_at,
    item: {
      kind: 'approval',
      key: `${info.run_id} ${info.tool_use_id}`,
      seq: 0,
      threadId: info.thread_id,
      runId: info.run_id,
      toolUseId: info.tool_use_id,
      name: info.name,
      input: info.input,
      request: info.request,
      reason: info.reason,
      digest: info.digest,
      freeFields: info.free,
      expiresAt: info.expires_at,
      decision: null,
      decidedBy: '',
    },
  }
}
