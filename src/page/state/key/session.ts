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
  readonly asking: Signal<boolean>
  /** Whether the server rejected the stored key when the page started. */
  readonly refused: ReadonlySignal<boolean>
  /** Whether the key is stored in this browser, and not only in this tab. */
  readonly remembered: ReadonlySignal<boolean>
  /** A key from a link that differs from the key in use, until the user decides which to use; otherwise null. */
  readonly offered: ReadonlySignal<string | null>
  /** Starts with the stored key, or with the key from a link. */
  begin(given: string | null): void
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

export function createSession(ports: Ports, url: string, met: (reached: boolean) => void): Session {
  const key = signal<string | null>(null)
  const entered = signal(0)
  const expired = signal(false)
  const asking = signal(false)
  const refused = signal(false)
  const remembered = signal(false)
  const offered = signal<string | null>(null)
  const forgotten = signal(0)
  let account = ''
  /** No key was found at the start, so the other tabs were asked for theirs: this tab may have been opened from one of them. */
  let wanted = false
  /** Whether the server has accepted the current key. */
  let taken = false

  function clientOf(given: string, send: Ports['fetch'] = ports.fetch, left?: AbortSignal): Client {
    return new Client({
      url,
      key: given,
      wait: ports.wait,
      fetch: async (address, init) => {
        try {
          // With `keepalive`, a deletion that waited for undo is sent even if the page closes.
          const response = await send(address, { ...init, keepalive: init?.method === 'DELETE' })
          met(true)
          if (key.peek() === given) judge(given, response.status)
          return response
        } catch (error) {
          if (!init?.signal?.aborted && !left?.aborted) met(false)
          throw error
        }
      },
    })
  }

  function judge(given: string, status: number): void {
    if (status !== 401) {
      if (!taken) ports.tab.set(NAME, given)
      taken = true
    } else if (taken) {
      if (!expired.peek()) asking.value = true
      expired.value = true
    } else {
      drop()
      refused.value = true
    }
  }

  function use(given: string | null): void {
    taken = false
    // Set the account before the key, because listeners of the key read it.
    if (given !== null) account = digest(given)
    key.value = given
    remembered.value = given !== null && ports.browser.get(NAME) === given
  }

  function drop(): void {
    const given = key.peek()
    ports.tab.remove(NAME)
    if (given !== null && ports.browser.get(NAME) === given) ports.browser.remove(NAME)
    expired.value = false
    asking.value = false
    use(null)
  }

  ports.onBroadcast((message) => {
    const kind = field(message, 'kind')
    const mine = key.peek()
    if (kind === 'key-wanted' && mine !== null && taken && !expired.peek())
      ports.tell({ kind: 'key', key: mine })
    const given = field(message, 'key')
    if (kind === 'key' && wanted && mine === null && given !== null) {
      wanted = false
      use(given)
    }
    if (kind !== 'forgotten' || mine === null || field(message, 'account') !== account) return
    drop()
    forgotten.value++
  })

  return {
    client: computed(() => {
      void entered.value
      return key.value === null ? null : clientOf(key.value)
    }),
    account: () => account,
    expired,
    asking,
    refused,
    remembered,
    offered,
    forgotten,
    begin(given) {
      const kept = key.peek() ?? ports.tab.get(NAME) ?? ports.browser.get(NAME)
      if (given !== null && kept !== null && given !== kept) offered.value = given
      if (key.peek() === null) use(kept ?? given)
      wanted = key.peek() === null
      if (wanted) ports.tell({ kind: 'key-wanted' })
    },
    decide(wanted) {
      const given = offered.peek()
      offered.value = null
      if (!wanted || given === null) return
      // Sign out first, because the content on the page belongs to another account.
      use(null)
      use(given)
    },
    async enter(given, remember) {
      const tried = await clientOf(given).json('GET', '/v1/threads?limit=1')
      if (!tried.ok) return tried
      ports.tab.set(NAME, given)
      if (remember) ports.browser.set(NAME, given)
      expired.value = false
      asking.value = false
      refused.value = false
      batch(() => {
        entered.value++
        use(given)
      })
      return { ok: true, value: null }
    },
    remember(on) {
      const given = key.peek()
      if (given === null) return
      if (on) ports.browser.set(NAME, given)
      else if (ports.browser.get(NAME) === given) ports.browser.remove(NAME)
      remembered.value = ports.browser.get(NAME) === given
    },
    forget() {
      wanted = false
      drop()
      forgotten.value++
      ports.tell({ kind: 'forgotten', account })
    },
    uploader(onPart, left) {
      const given = key.peek()
      if (given === null) return null
      return clientOf(given, async (url, init) => ports.upload(url, init, onPart, left), left)
    },
  }
}

/** Removes the key from the address fragment and returns it, or null. */
export function keyInAddress(window: Window): string | null {
  const fields = new URLSearchParams(window.location.hash.slice(1))
  const given = fields.get('key')
  if (given === null) return null
  fields.delete('key')
  const rest = fields.toString().replace(/=$/, '').replace(/=&/g, '&')
  window.history.replaceState(null, '', window.location.pathname + (rest ? `#${rest}` : ''))
  return given.trim()
}
