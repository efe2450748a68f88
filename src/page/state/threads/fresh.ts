// Refreshes the list of threads while the page is visible, because it may be changed in other tabs and on other machines.

import { effect, untracked } from '@preact/signals'

import type { Ports } from '../../lib/platform.ts'
import type { ConnectionState } from '../frame/connection.ts'
import type { Session } from '../key/session.ts'
import { BUSY_LOOK_MS, LOOK_AGAIN_MS } from './limits.ts'
import type { Threads } from './threads.ts'

export interface FreshWiring {
  readonly client: Session['client']
  readonly backs: ConnectionState['backs']
  readonly threads: Threads
  readonly window: Window
  readonly ports: Pick<Ports, 'now' | 'wait'>
}

export function keepListFresh({ client, backs, threads, window, ports: { now, wait } }: FreshWiring): void {
  let last = 0
  let watching = false
  const isBusy = (): boolean =>
    threads.list.value?.some(({ id, status }) => status === 'busy' && !threads.waiting.value.has(id)) ?? false
  const watch = async (): Promise<void> => {
    if (watching) return
    watching = true
    while (isBusy() && client.peek()) {
      await wait(BUSY_LOOK_MS)
      if (!window.document.hidden) await threads.refresh()
    }
    watching = false
  }
  effect(() => {
    if (isBusy()) untracked(() => void watch())
  })
  const look = (): void => {
    if (window.document.hidden || !client.peek() || now() - last < LOOK_AGAIN_MS) return
    last = now()
    void threads.refresh()
  }
  effect(() => {
    void client.value
    void backs.value
    last = now()
    void threads.refresh()
  })
  window.addEventListener('focus', look)
  window.document.addEventListener('visibilitychange', look)
}
