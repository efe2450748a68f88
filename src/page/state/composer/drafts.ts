// What is written and not sent yet, kept for each key and thread: words in this browser, what a tab is to send with the tab alone.
// Never reads the page, and sends nothing.

import { DRAFT_MS, DRAFTS_KEPT } from './limits.ts'
import type { Ports, Store } from '../../lib/platform.ts'
import { field, numberIn, parsed } from '../../lib/fields.ts'

export interface Draft {
  /** What stands in the box. */
  readonly text: string
  /** The message that waits for the end of an answer. Of this tab: two would send it twice. */
  readonly next: string
  /** What was sent, until the server has named it. */
  readonly sending: string
  /** Of a new thread: the one that was made for its files, by this tab; '' none. */
  readonly made: string
}

export interface Drafts {
  /** `threadId` null: of a new thread. */
  read(threadId: string | null): Draft
  /** Kept a moment after the last change; one with nothing in it is removed. */
  write(threadId: string | null, draft: Draft): void
  /** Keeps at once what still waits: the page goes. */
  flush(): void
  /** Forgets all of the key's: somebody else may sit here next. */
  clear(): void
}

export const NO_DRAFT: Draft = { text: '', next: '', sending: '', made: '' }
const PREFIX = 'satchel.draft.'

/** `account`: tells one key from another, so that nobody is shown what was written with another one. */
export function createDrafts(
  { browser, tab, wait, now }: Pick<Ports, 'browser' | 'tab' | 'wait' | 'now'>,
  account: () => string,
): Drafts {
  const waiting = new Map<string, Draft>()
  let round = 0

  function flush(): void {
    for (const [name, { text, sending, next, made }] of waiting) {
      put(browser, name, { text, sending })
      put(tab, name, { next, made })
    }
    if (waiting.size > 0) forgetOldest()
    waiting.clear()
  }

  function put(store: Store, name: string, fields: Readonly<Record<string, string>>): void {
    if (Object.values(fields).every((part) => part === '')) store.remove(name)
    else store.set(name, JSON.stringify({ ...fields, at: now() }))
  }

  function own(): string {
    return `${PREFIX}${account()}.`
  }

  function nameFor(threadId: string | null): string {
    return own() + (threadId ?? 'new')
  }

  function kept(store: Store, prefix: string): readonly string[] {
    return store.names().filter((name) => name.startsWith(prefix))
  }

  function read(name: string): Draft {
    const [ours, mine] = [parsed(browser.get(name)), parsed(tab.get(name))]
    return {
      text: field(ours, 'text') ?? '',
      next: field(mine, 'next') ?? '',
      sending: field(ours, 'sending') ?? '',
      made: field(mine, 'made') ?? '',
    }
  }

  function forgetOldest(): void {
    const names = kept(browser, PREFIX)
    if (names.length <= DRAFTS_KEPT) return
    const byAge = names
      .map((name) => ({ name, at: numberIn(parsed(browser.get(name)), 'at') ?? 0 }))
      .toSorted((a, b) => b.at - a.at)
    for (const { name } of byAge.slice(DRAFTS_KEPT)) browser.remove(name)
  }

  return {
    read(threadId) {
      const name = nameFor(threadId)
      return waiting.get(name) ?? read(name)
    },
    write(threadId, draft) {
      const name = nameFor(threadId)
      if (!waiting.has(name) && same(draft, read(name))) return
      waiting.set(name, draft)
      const mine = ++round
      void wait(DRAFT_MS).then(() => mine === round && flush())
    },
    flush,
    clear() {
      for (const name of waiting.keys()) if (name.startsWith(own())) waiting.delete(name)
      for (const store of [browser, tab]) for (const name of kept(store, own())) store.remove(name)
    },
  }
}

function same(a: Draft, b: Draft): boolean {
  return a.text === b.text && a.next === b.next && a.sending === b.sending && a.made === b.made
}
