// The session: the user's key, where it is stored, and the client that uses it.

import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'

import { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import { digest } from '../../lib/digest.ts'
import { field } from '../../lib/fields.ts'
import type { Ports } from '../../lib/platform.ts'

const NAME = 'satchel.key'

export interface Session {
  /** Null if nobody is signed in. Replaced whenever a key is entered, even the same key, so that stopped work resumes. */
  readonly client: ReadonlySignal<Client | null>
  /** A digest of the current key or the last one; '' if there was none. */
  readonly account: () => string
  /** Whether the server has stopped accepting the key. The page keeps its content until another key is entered. */
  readonly expired: ReadonlySignal<boolean>
  /** Whether the key dialog is open. */
  readonly isAskingForKey: Signal<boolean>
  /** Whether the server rejected the stored key when the page started. */
  readonly refused: ReadonlySignal<boolean>
  /** Whether the key is stored in this browser, and not only in this tab. */
  readonly remembered: ReadonlySignal<boolean>
  /** A key from a link that differs from the key in use, until the user decides which to use; otherwise null. */
  readonly offerCommands: ReadonlySignal<string | null>
  /** Starts with the stored key, or with the key from a link. */
  begin(apiKey: string | null): void
  /** Uses the offered key in this tab, or discards it. */
  decide(use: boolean): void
  /** Checks a key with the server, and stores it if it is accepted. `remember`: store it in the browser, not only in this tab. */
  enter(key: string, remember: boolean): Promise<Result<null, ClientFailure>>
  /** Stores the key in this browser, or in this tab only. */
  remember(on: boolean): void
  /** Signs out: removes the key from storage and from all tabs of this browser that use it. */
  readonly forget: () => void
  /** Incremented when the user signs out, in this tab or another one, but not when the server rejects a key. */
  readonly forgotten: ReadonlySignal<number>
  /** Creates a client for one upload, which reports the fraction sent. Returns null if nobody is signed in. */
  uploader(onPart: (part: number) => void, signal: AbortSignal): Client | null
}

export function createSession(
  ports: Ports,
  url: string,
  recordReachability: (reached: boolean) => void,
): Session {
  const key = signal<string | null>(null)
  const entered = signal(0)
  const expired = signal(false)
  const isAskingForKey = signal(false)
  const refused = signal(false)
  const remembered = signal(false)
  const offerCommands = signal<string | null>(null)
  const forgotten = signal(0)
  let account = ''
  /** No key was found at the start, so the other tabs were asked for theirs: this tab may have been opened from one of them. */
  let wanted = false
  /** Whether the server has accepted the current key. */
  let isAccepted = false

  function createClient(
    apiKey: string,
    send: Ports['fetch'] = ports.fetch,
    abortSignal?: AbortSignal,
  ): Client {
    return new Client({
      url,
      key: apiKey,
      wait: ports.wait,
      fetch: async (address, init) => {
        try {
          // With `keepalive`, a deletion that waited for undo is sent even if the page closes.
          const response = await send(address, { ...init, keepalive: init?.method === 'DELETE' })
          recordReachability(true)
          if (key.peek() === apiKey) checkStatus(apiKey, response.status)
          return response
        } catch (error) {
          if (!init?.signal?.aborted && !abortSignal?.aborted) recordReachability(false)
          throw error
        }
      },
    })
  }

  function checkStatus(apiKey: string, status: number): void {
    if (status !== 401) {
      if (!isAccepted) ports.tab.set(NAME, apiKey)
      isAccepted = true
    } else if (isAccepted) {
      if (!expired.peek()) isAskingForKey.value = true
      expired.value = true
    } else {
      dropKey()
      refused.value = true
    }
  }

  function use(apiKey: string | null): void {
    isAccepted = false
    // Set the account before the key, because listeners of the key read it.
    if (apiKey !== null) account = digest(apiKey)
    key.value = apiKey
    remembered.value = apiKey !== null && ports.browser.get(NAME) === apiKey
  }

  function dropKey(): void {
    const apiKey = key.peek()
    ports.tab.remove(NAME)
    if (apiKey !== null && ports.browser.get(NAME) === apiKey) ports.browser.remove(NAME)
    expired.value = false
    isAskingForKey.value = false
    use(null)
  }

  ports.onBroadcast((message) => {
    const kind = field(message, 'kind')
    const ownKey = key.peek()
    if (kind === 'key-wanted' && ownKey !== null && isAccepted && !expired.peek())
      ports.broadcast({ kind: 'key', key: ownKey })
    const apiKey = field(message, 'key')
    if (kind === 'key' && wanted && ownKey === null && apiKey !== null) {
      wanted = false
      use(apiKey)
    }
    if (kind !== 'forgotten' || ownKey === null || field(message, 'account') !== account) return
    dropKey()
    forgotten.value++
  })

  return {
    client: computed(() => {
      void entered.value
      return key.value === null ? null : createClient(key.value)
    }),
    account: () => account,
    expired,
    isAskingForKey,
    refused,
    remembered,
    offerCommands,
    forgotten,
    begin(apiKey) {
      const storedKey = key.peek() ?? ports.tab.get(NAME) ?? ports.browser.get(NAME)
      if (apiKey !== null && storedKey !== null && apiKey !== storedKey) offerCommands.value = apiKey
      if (key.peek() === null) use(storedKey ?? apiKey)
      wanted = key.peek() === null
      if (wanted) ports.broadcast({ kind: 'key-wanted' })
    },
    decide(wanted) {
      const apiKey = offerCommands.peek()
      offerCommands.value = null
      if (!wanted || apiKey === null) return
      // Sign out first, because the content on the page belongs to another account.
      use(null)
      use(apiKey)
    },
    async enter(apiKey, remember) {
      const result = await createClient(apiKey).json('GET', '/v1/threads?limit=1')
      if (!result.ok) return result
      ports.tab.set(NAME, apiKey)
      if (remember) ports.browser.set(NAME, apiKey)
      expired.value = false
      isAskingForKey.value = false
      refused.value = false
      batch(() => {
        entered.value++
        use(apiKey)
      })
      return { ok: true, value: null }
    },
    remember(on) {
      const apiKey = key.peek()
      if (apiKey === null) return
      if (on) ports.browser.set(NAME, apiKey)
      else if (ports.browser.get(NAME) === apiKey) ports.browser.remove(NAME)
      remembered.value = ports.browser.get(NAME) === apiKey
    },
    forget() {
      wanted = false
      dropKey()
      forgotten.value++
      ports.broadcast({ kind: 'forgotten', account })
    },
    uploader(onPart, abortSignal) {
      const apiKey = key.peek()
      if (apiKey === null) return null
      return createClient(
        apiKey,
        async (url, init) => ports.upload(url, init, onPart, abortSignal),
        abortSignal,
      )
    },
  }
}

/** Removes the key from the address fragment and returns it, or null. */
export function keyInAddress(window: Window): string | null {
  const fields = new URLSearchParams(window.location.hash.slice(1))
  const apiKey = fields.get('key')
  if (apiKey === null) return null
  fields.delete('key')
  const remaining = fields.toString().replace(/=$/, '').replace(/=&/g, '&')
  window.history.replaceState(null, '', window.location.pathname + (remaining ? `#${remaining}` : ''))
  return apiKey.trim()
}
