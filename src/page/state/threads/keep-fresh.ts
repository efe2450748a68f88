// Refreshes the list of threads while the page is visible, because it may be changed in other tabs and on other machines. With
// notifications, refreshes it also while the page is hidden.

import { effect, untracked, type ReadonlySignal } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'
import type { ConnectionState } from '../frame/connection.ts'
import type { Session } from '../key/session.ts'
import { BUSY_POLL_MS, NOTIFYING_POLL_MS, REFRESH_INTERVAL_MIN_MS } from './limits.ts'
import type { Threads } from './threads.ts'

export interface KeepFreshWiring {
  readonly client: Session['client']
  readonly reconnects: ConnectionState['reconnects']
  readonly threads: Threads
  /** Whether the browser shows notifications. */
  readonly isNotifying: ReadonlySignal<boolean>
  readonly window: Window
  readonly ports: Pick<Ports, 'now' | 'wait'>
}

export function keepListFresh({
  client,
  reconnects,
  threads,
  isNotifying,
  window,
  ports: { now, wait },
}: KeepFreshWiring): void {
  let lastRefresh = 0
  let isPolling = false
  const hasBusyThread = (): boolean =>
    threads.list.value?.some(({ tree }) =>
      tree.threads.some(
        ({ thread_id: id, status }) => status === 'busy' && !threads.waitingIds.value.has(id),
      ),
    ) ?? false
  const poll = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    while (hasBusyThread() && client.peek()) {
      await wait(BUSY_POLL_MS)
      if (!window.document.hidden || isNotifying.peek()) await threads.refresh()
    }
    isPolling = false
  }
  effect(() => {
    if (hasBusyThread()) untracked(() => void poll())
  })
  let isNotifyingPolled = false
  const pollForNotifications = async (): Promise<void> => {
    if (isNotifyingPolled) return
    isNotifyingPolled = true
    while (isNotifying.peek() && client.peek()) {
      await wait(NOTIFYING_POLL_MS)
      await threads.refresh()
    }
    isNotifyingPolled = false
  }
  effect(() => {
    if (isNotifying.value && client.value) untracked(() => void pollForNotifications())
  })
  const refreshIfStale = (): void => {
    if (window.document.hidden || !client.peek() || now() - lastRefresh < REFRESH_INTERVAL_MIN_MS) return
    lastRefresh = now()
    void threads.refresh()
  }
  effect(() => {
    void client.value
    void reconnects.value
    lastRefresh = now()
    void threads.refresh()
  })
  window.addEventListener('focus', refreshIfStale)
  window.document.addEventListener('visibilitychange', refreshIfStale)
}
