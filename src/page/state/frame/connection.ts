// Tracks whether the server can be reached, based on the browser's network state and on the page's requests. While it cannot,
// sends health probes.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import { AWAY_RETRY_MS } from '../../lib/limits.ts'
import type { Ports } from '../../lib/platform.ts'

export interface ConnectionState {
  /** `offline`: the browser has no network; `away`: the last request did not reach the server. */
  readonly state: ReadonlySignal<'good' | 'offline' | 'away'>
  /** Incremented whenever the network or the server becomes reachable again. */
  readonly backs: ReadonlySignal<number>
  /** Records whether a request reached the server. */
  readonly met: (reached: boolean) => void
}

export function createConnection(
  window: {
    readonly navigator: Pick<Navigator, 'onLine'>
    addEventListener(type: 'online' | 'offline', listener: () => void): void
  },
  ports: Pick<Ports, 'fetch' | 'wait'>,
  url: string,
): ConnectionState {
  const online = signal(window.navigator.onLine)
  const reached = signal(true)
  const backs = signal(0)
  let asking = false

  function met(came: boolean): void {
    if (came && !reached.peek()) backs.value++
    reached.value = came
    if (!came) void askUntilBack()
  }

  async function askUntilBack(): Promise<void> {
    if (asking) return
    asking = true
    while (!reached.peek()) {
      await ports.wait(AWAY_RETRY_MS)
      if (!reached.peek() && online.peek()) met(await answers())
    }
    asking = false
  }

  async function answers(): Promise<boolean> {
    try {
      await ports.fetch(`${url}/healthz`)
      return true
    } catch {
      return false
    }
  }

  const listen = (): void => {
    const { onLine } = window.navigator
    if (onLine && !online.peek()) backs.value++
    online.value = onLine
  }
  window.addEventListener('online', listen)
  window.addEventListener('offline', listen)

  return {
    state: computed(() => (!online.value ? 'offline' : reached.value ? 'good' : 'away')),
    backs,
    met,
  }
}
