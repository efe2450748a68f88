// Who reads: the key, where it rests, and the client that speaks with it. The key never stays in the address bar.

import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'

import { Client } from '../../client/client.ts'
import type { ClientFailure } from '../../client/types.ts'
import type { Result } from '../../lib/result.ts'
import type { Ports } from '../platform.ts'

const NAME = 'satchel.key'

export interface Session {
  /** Null: nobody is signed in. */
  readonly client: ReadonlySignal<Client | null>
  /** The server does not take the key any more: what is on the page stays until another one is entered. */
  readonly expired: ReadonlySignal<boolean>
  /** The form that asks for the key stands over the page. */
  readonly asking: Signal<boolean>
  /** The key is kept in this browser, past the tab. */
  readonly remembered: ReadonlySignal<boolean>
  /** Tries a key; it is kept only when the server takes it. `remember`: past this tab. */
  enter(key: string, remember: boolean): Promise<Result<null, ClientFailure>>
  /** A key that the tab was opened with or keeps; null: there is none. */
  found(): string | null
  forget(): void
  /** A client for one upload, which tells how much of it has left; null: nobody is signed in. */
  uploader(onPart: (part: number) => void, signal: AbortSignal): Client | null
}

export function createSession(ports: Ports, url: string): Session {
  const key = signal<string | null>(null)
  const expired = signal(false)
  const asking = signal(false)
  const remembered = signal(ports.browser.get(NAME) !== null)

  function clientOf(given: string, send: Ports['fetch'] = ports.fetch): Client {
    return new Client({
      url,
      key: given,
      wait: ports.wait,
      fetch: async (address, init) => {
        const response = await send(address, init)
        if (response.status === 401 && key.peek() === given) expired.value = true
        return response
      },
    })
  }

  return {
    client: computed(() => (key.value === null ? null : clientOf(key.value))),
    expired,
    asking,
    remembered,
    async enter(given, remember) {
      const tried = await clientOf(given).json('GET', '/v1/threads?limit=1')
      if (!tried.ok) return tried
      ports.tab.set(NAME, given)
      if (remember) ports.browser.set(NAME, given)
      remembered.value = ports.browser.get(NAME) !== null
      expired.value = false
      key.value = given
      return { ok: true, value: null }
    },
    found: () => ports.tab.get(NAME) ?? ports.browser.get(NAME),
    forget() {
      ports.tab.remove(NAME)
      ports.browser.remove(NAME)
      remembered.value = false
      expired.value = false
      key.value = null
    },
    uploader(onPart, left) {
      const given = key.peek()
      if (given === null) return null
      return clientOf(given, async (url, init) => ports.upload(url, init, onPart, left))
    },
  }
}

/** A key in the address's fragment, taken out of it; null: there is none. */
export function keyInAddress(window: Window): string | null {
  const fields = new URLSearchParams(window.location.hash.slice(1))
  const given = fields.get('key')
  if (given === null) return null
  fields.delete('key')
  const rest = fields.toString().replace(/=$/, '').replace(/=&/g, '&')
  window.history.replaceState(null, '', window.location.pathname + (rest ? `#${rest}` : ''))
  return given.trim()
}
