// Tracks whether the server can be reached, based on the browser's network state and on the page's requests. While it cannot,
// sends health probes.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import { AWAY_RETRY_MS } from '../../lib/limits.ts'
import type { Ports } from '../../lib/platform.ts'

export interface ConnectionState {
  /** `offline`: the browser has no network; `away`: the last request did not reach the server. */
  readonly state: ReadonlySignal<'good' | 'offline' | 'away'>
  /** Incremented whenever the network or the server becomes reachable again. */
  readonly reconnects: ReadonlySignal<number>
  /** Records whether a request reached the server. */
  readonly recordReachability: (isReached: boolean) => void
}

export function createConnection(
  window: {
    readonly navigator: Pick<Navigator, 'onLine'>
    addEventListener(type: 'online' | 'offline', listener: () => void): void
  },
  ports: Pick<Ports, 'fetch' | 'wait'>,
  url: string,
): ConnectionState {
  const isOnline = signal(window.navigator.onLine)
  const isServerReachable = signal(true)
  const reconnects = signal(0)
  let isProbing = false

  function recordReachability(isReached: boolean): void {
    if (isReached && !isServerReachable.peek()) reconnects.value++
    isServerReachable.value = isReached
    if (!isReached) void probeUntilReachable()
  }

  async function probeUntilReachable(): Promise<void> {
    if (isProbing) return
    isProbing = true
    while (!isServerReachable.peek()) {
      await ports.wait(AWAY_RETRY_MS)
      if (!isServerReachable.peek() && isOnline.peek()) recordReachability(await probe())
    }
    isProbing = false
  }

  async function probe(): Promise<boolean> {
    try {
      await ports.fetch(`${url}/healthz`)
      return true
    } catch {
      return false
    }
  }

  const updateOnline = (): void => {
    const { onLine } = window.navigator
    if (onLine && !isOnline.peek()) reconnects.value++
    isOnline.value = onLine
  }
  window.addEventListener('online', updateOnline)
  window.addEventListener('offline', updateOnline)

  return {
    state: computed(() => (!isOnline.value ? 'offline' : isServerReachable.value ? 'good' : 'away')),
    reconnects,
    recordReachability,
  }
}
