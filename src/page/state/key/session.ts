// The session: the user's key, where it is stored, and the client that uses it.

import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'

import { Client } from '../../../client/client.ts'
import { readMe } from '../../../client/me.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { KeyRole } from '../../../lib/caller.ts'
import { ok, type Result } from '../../../lib/result.ts'
import { hashSecret } from '../../lib/digest.ts'
import { stringIn } from '../../lib/fields.ts'
import type { Ports } from '../../lib/platform.ts'
import { SHARED_KEY_WAIT_MS } from './limits.ts'

/** The name under which the key is stored. */
const KEY_NAME = 'satchel.key'

export interface Session {
  /** Null if nobody is signed in. Replaced whenever a key is entered, even the same key, so that stopped work resumes. */
  readonly client: ReadonlySignal<Client | null>
  /** A digest of the current key or the last one; '' if there was none. */
  readonly account: () => string
  /** Whether the server has stopped accepting the key. The page keeps its content until another key is entered. */
  readonly isExpired: ReadonlySignal<boolean>
  /** Whether the key dialog is open. */
  readonly isAskingForKey: Signal<boolean>
  /** Whether the server rejected the stored key when the page started. */
  readonly isKeyRefused: ReadonlySignal<boolean>
  /** Whether the key is stored in this browser, and not only in this tab. */
  readonly isRemembered: ReadonlySignal<boolean>
  /** Whether this tab has no key and still waits for the answer of another tab. */
  readonly isAwaitingKey: ReadonlySignal<boolean>
  /** Whether another tab gave this tab the key, which then stores it nowhere. */
  readonly isBorrowed: ReadonlySignal<boolean>
  /** A key from a link that differs from the key in use, until the user decides which to use; otherwise null. */
  readonly offeredKey: ReadonlySignal<string | null>
  /** Starts with the stored key, or with the key from a link. */
  start(apiKey: string | null): void
  /** Uses the offered key in this tab, or discards it. */
  decideOffer(accept: boolean): void
  /** Asks the server for the role of a key, and stores nothing. Undefined if the response names none. */
  readRole(key: string): Promise<Result<KeyRole | undefined, ClientFailure>>
  /**
   * Checks a key with the server, and stores it if it is accepted. `remember`: store it in the browser; false: only in this tab, and
   * the browser forgets the key that it had. Null remembers chat keys, which can do the least.
   */
  enter(key: string, remember: boolean | null): Promise<Result<null, ClientFailure>>
  /** Stores the key in this browser, or in this tab only. */
  remember(inBrowser: boolean): void
  /** Signs out: removes the key from storage and from all tabs of this browser that use it. */
  readonly forget: () => void
  /** Incremented when the user signs out, in this tab or another one, but not when the server rejects a key. */
  readonly signOutCount: ReadonlySignal<number>
  /** Creates a client for one upload, which reports the fraction sent. Returns null if nobody is signed in. */
  uploader(onProgress: (fraction: number) => void, signal: AbortSignal): Client | null
}

export function createSession(
  ports: Ports,
  url: string,
  recordReachability: (isReached: boolean) => void,
): Session {
  const key = signal<string | null>(null)
  const enterCount = signal(0)
  const isExpired = signal(false)
  const isAskingForKey = signal(false)
  const isKeyRefused = signal(false)
  const isRemembered = signal(false)
  const isBorrowed = signal(false)
  const offeredKey = signal<string | null>(null)
  const signOutCount = signal(0)
  const isAwaitingKey = signal(false)
  let account = ''
  /** Whether this tab found no key and has asked the other tabs for theirs. One of them may have opened this tab. */
  let isAwaitingSharedKey = false
  /** The key about which the server is being asked before it is stored. */
  let unconfirmedKey: string | null = null
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
          if (key.peek() === apiKey) checkResponse(apiKey, response)
          return response
        } catch (error) {
          if (!init?.signal?.aborted && !abortSignal?.aborted) recordReachability(false)
          throw error
        }
      },
    })
  }

  function checkResponse(apiKey: string, { ok: isOk, status }: Response): void {
    if (isOk) {
      isAccepted = true
      void storeConfirmed(apiKey)
    }
    if (status !== 401) return
    if (isAccepted) {
      if (!isExpired.peek()) isAskingForKey.value = true
      isExpired.value = true
    } else {
      dropKey()
      isKeyRefused.value = true
    }
  }

  /**
   * Stores a key from a link in this tab once the server has accepted it. If that fails, the next response tries
   * again.
   */
  async function storeConfirmed(apiKey: string): Promise<void> {
    const isStored = ports.tab.get(KEY_NAME) === apiKey || ports.browser.get(KEY_NAME) === apiKey
    if (isStored || isBorrowed.peek() || unconfirmedKey === apiKey) return
    unconfirmedKey = apiKey
    const me = await readMe(createClient(apiKey))
    unconfirmedKey = null
    if (me.ok && key.peek() === apiKey && !isBorrowed.peek()) ports.tab.set(KEY_NAME, apiKey)
  }

  async function readRole(apiKey: string): ReturnType<Session['readRole']> {
    const me = await readMe(createClient(apiKey))
    return me.ok ? ok(me.value.role) : me
  }

  function setKey(apiKey: string | null, isFromOtherTab = false): void {
    isAccepted = false
    isBorrowed.value = isFromOtherTab
    // Set the account before the key, because listeners of the key read it.
    if (apiKey !== null) account = hashSecret(apiKey)
    key.value = apiKey
    isRemembered.value = apiKey !== null && ports.browser.get(KEY_NAME) === apiKey
  }

  function dropKey(): void {
    const apiKey = key.peek()
    ports.tab.remove(KEY_NAME)
    if (apiKey !== null && ports.browser.get(KEY_NAME) === apiKey) ports.browser.remove(KEY_NAME)
    isExpired.value = false
    isAskingForKey.value = false
    setKey(null)
  }

  ports.onBroadcast((message) => {
    const kind = stringIn(message, 'kind')
    const currentKey = key.peek()
    if (kind === 'key-wanted' && currentKey !== null && isAccepted && !isExpired.peek())
      ports.broadcast({ kind: 'key', key: currentKey })
    const apiKey = stringIn(message, 'key')
    if (kind === 'key' && isAwaitingSharedKey && currentKey === null && apiKey !== null) {
      isAwaitingSharedKey = false
      batch(() => {
        isAwaitingKey.value = false
        setKey(apiKey, true)
      })
    }
    if (kind !== 'forgotten' || currentKey === null || stringIn(message, 'account') !== account) return
    dropKey()
    signOutCount.value++
  })

  return {
    client: computed(() => {
      void enterCount.value
      return key.value === null ? null : createClient(key.value)
    }),
    account: () => account,
    isExpired,
    isAskingForKey,
    isKeyRefused,
    isRemembered,
    isAwaitingKey,
    isBorrowed,
    offeredKey,
    signOutCount,
    start(apiKey) {
      const storedKey = key.peek() ?? ports.tab.get(KEY_NAME) ?? ports.browser.get(KEY_NAME)
      if (apiKey !== null && storedKey !== null && apiKey !== storedKey) offeredKey.value = apiKey
      if (key.peek() === null) setKey(storedKey ?? apiKey)
      isAwaitingSharedKey = key.peek() === null
      if (!isAwaitingSharedKey) return
      isAwaitingKey.value = true
      ports.broadcast({ kind: 'key-wanted' })
      // An answer that arrives later is still accepted.
      void ports.wait(SHARED_KEY_WAIT_MS).then(() => (isAwaitingKey.value = false))
    },
    decideOffer(accept) {
      const apiKey = offeredKey.peek()
      offeredKey.value = null
      if (!accept || apiKey === null) return
      // Sign out first, because the content on the page belongs to another account.
      setKey(null)
      setKey(apiKey)
    },
    readRole,
    async enter(apiKey, remember) {
      const role = await readRole(apiKey)
      if (!role.ok) return role
      ports.tab.set(KEY_NAME, apiKey)
      if (remember ?? role.value === 'chat') ports.browser.set(KEY_NAME, apiKey)
      else ports.browser.remove(KEY_NAME)
      isExpired.value = false
      isAskingForKey.value = false
      isKeyRefused.value = false
      batch(() => {
        enterCount.value++
        setKey(apiKey)
      })
      return ok(null)
    },
    remember(inBrowser) {
      const apiKey = key.peek()
      if (apiKey === null) return
      if (inBrowser) ports.browser.set(KEY_NAME, apiKey)
      else if (ports.browser.get(KEY_NAME) === apiKey) {
        ports.browser.remove(KEY_NAME)
        ports.tab.set(KEY_NAME, apiKey)
      }
      isRemembered.value = ports.browser.get(KEY_NAME) === apiKey
    },
    forget() {
      isAwaitingSharedKey = false
      dropKey()
      signOutCount.value++
      ports.broadcast({ kind: 'forgotten', account })
    },
    uploader(onProgress, abortSignal) {
      const apiKey = key.peek()
      if (apiKey === null) return null
      return createClient(
        apiKey,
        async (url, init) => ports.upload(url, init, onProgress, abortSignal),
        abortSignal,
      )
    },
  }
}

/** Removes the key from the address fragment and returns it, or null. */
export function takeKeyFromAddress(window: Window): string | null {
  const fields = new URLSearchParams(window.location.hash.slice(1))
  const apiKey = fields.get('key')
  if (apiKey === null) return null
  fields.delete('key')
  const remaining = fields.toString().replace(/=$/, '').replace(/=&/g, '&')
  window.history.replaceState(null, '', window.location.pathname + (remaining ? `#${remaining}` : ''))
  return apiKey.trim()
}
