// Who reads: the key, where it rests, and the client that speaks with it. The key never stays in the address bar.

import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'

import { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import { digest } from '../../lib/digest.ts'
import { field } from '../../lib/fields.ts'
import type { Ports } from '../../lib/platform.ts'

const NAME = 'satchel.key'

export interface Session {
  /** Null: nobody is signed in. Another one each time that a key is entered, the same key too: what it stopped goes on. */
  readonly client: ReadonlySignal<Client | null>
  /** Tells the key that is used, or was used last, from others; '' none was. */
  readonly account: () => string
  /** The server does not take the key any more: what is on the page stays until another one is entered. */
  readonly expired: ReadonlySignal<boolean>
  /** The form that asks for the key stands over the page. */
  readonly asking: Signal<boolean>
  /** The server did not take the key that was found here at the start. */
  readonly refused: ReadonlySignal<boolean>
  /** The key is kept in this browser, past the tab. */
  readonly remembered: ReadonlySignal<boolean>
  /** A key that a link brought to who has another one; null: none. */
  readonly offered: ReadonlySignal<string | null>
  /** Goes on with the key that is kept, or with the one that a link brought. */
  begin(given: string | null): void
  /** What was offered is used in this tab, or not. */
  decide(use: boolean): void
  /** Tries a key; it is kept only when the server takes it. `remember`: past this tab. */
  enter(key: string, remember: boolean): Promise<Result<null, ClientFailure>>
  /** Keeps it in this browser, or in this tab alone. */
  remember(on: boolean): void
  /** In all tabs of this browser that use the key, and where it was kept. */
  readonly forget: () => void
  /** Raised when the reader wants to be forgotten, here or in another tab; a key that is refused raises nothing. */
  readonly forgotten: ReadonlySignal<number>
  /** A client for one upload, which tells how much of it has left; null: nobody is signed in. */
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
  /** Nothing was found here at the start: another tab may have the key (a thread that was opened in a new tab). */
  let wanted = false
  /** The server took the key since it is used. */
  let taken = false

  function clientOf(given: string, send: Ports['fetch'] = ports.fetch, left?: AbortSignal): Client {
    return new Client({
      url,
      key: given,
      wait: ports.wait,
      fetch: async (address, init) => {
        try {
          // A deletion that waited for an undo is not lost with the page.
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
    // Before anybody hears of the key.
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

  ports.hear((message) => {
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
      // What is shown is of another account.
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
