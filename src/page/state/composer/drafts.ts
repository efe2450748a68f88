// Stores drafts by key and thread. The text in the box and a message being sent are stored in the browser; the queued message is
// stored in the tab.

import { DRAFT_SAVE_DELAY_MS, DRAFTS_MAX } from './limits.ts'
import type { Ports, Store } from '../../lib/platform.ts'
import { stringIn, numberIn, parseJson } from '../../lib/fields.ts'

export interface Draft {
  /** The text in the box. */
  readonly text: string
  /** The text of the queued message. It is stored per tab, because two tabs would send it twice. */
  readonly queued: string
  /** The text of a sent message, until the server has assigned its run. */
  readonly sending: string
  /** In the draft of a new thread: the thread that this tab has already created for its files, or ''. */
  readonly createdThread: string
}

export interface Drafts {
  /** `threadId`: null for a new thread. */
  read(threadId: string | null): Draft
  /** Saves the draft shortly after the last change. An empty draft is removed. */
  write(threadId: string | null, draft: Draft): void
  /** Saves pending changes immediately. Called when the page closes. */
  flush(): void
  /** Deletes all drafts of the key, because the next user may be a different person. */
  clear(): void
}

export const NO_DRAFT: Draft = { text: '', queued: '', sending: '', createdThread: '' }
const STORAGE_PREFIX = 'satchel.draft.'

/** `account` identifies the key, so that nobody sees drafts that were written with a different key. */
export function createDrafts(
  { browser, tab, wait, now }: Pick<Ports, 'browser' | 'tab' | 'wait' | 'now'>,
  account: () => string,
): Drafts {
  const unsaved = new Map<string, Draft>()
  let saveCount = 0

  function flush(): void {
    for (const [name, { text, sending, queued, createdThread }] of unsaved) {
      save(browser, name, { text, sending })
      save(tab, name, { next: queued, made: createdThread })
    }
    if (unsaved.size > 0) forgetOldest()
    unsaved.clear()
  }

  function save(store: Store, name: string, fields: Readonly<Record<string, string>>): void {
    if (Object.values(fields).every((part) => part === '')) store.remove(name)
    else store.set(name, JSON.stringify({ ...fields, at: now() }))
  }

  function accountPrefix(): string {
    return `${STORAGE_PREFIX}${account()}.`
  }

  function nameFor(threadId: string | null): string {
    return accountPrefix() + (threadId ?? 'new')
  }

  function namesIn(store: Store, prefix: string): readonly string[] {
    return store.names().filter((name) => name.startsWith(prefix))
  }

  function readStored(name: string): Draft {
    const [browserDraft, tabDraft] = [parseJson(browser.get(name)), parseJson(tab.get(name))]
    return {
      text: stringIn(browserDraft, 'text') ?? '',
      queued: stringIn(tabDraft, 'next') ?? '',
      sending: stringIn(browserDraft, 'sending') ?? '',
      createdThread: stringIn(tabDraft, 'made') ?? '',
    }
  }

  function forgetOldest(): void {
    const names = namesIn(browser, STORAGE_PREFIX)
    if (names.length <= DRAFTS_MAX) return
    const newestFirst = names
      .map((name) => ({ name, at: numberIn(parseJson(browser.get(name)), 'at') ?? 0 }))
      .toSorted((a, b) => b.at - a.at)
    for (const { name } of newestFirst.slice(DRAFTS_MAX)) browser.remove(name)
  }

  return {
    read(threadId) {
      const name = nameFor(threadId)
      return unsaved.get(name) ?? readStored(name)
    },
    write(threadId, draft) {
      const name = nameFor(threadId)
      if (!unsaved.has(name) && isSame(draft, readStored(name))) return
      unsaved.set(name, draft)
      const saveNumber = ++saveCount
      void wait(DRAFT_SAVE_DELAY_MS).then(() => saveNumber === saveCount && flush())
    },
    flush,
    clear() {
      for (const name of unsaved.keys()) if (name.startsWith(accountPrefix())) unsaved.delete(name)
      for (const store of [browser, tab])
        for (const name of namesIn(store, accountPrefix())) store.remove(name)
    },
  }
}

function isSame(a: Draft, b: Draft): boolean {
  return (
    a.text === b.text &&
    a.queued === b.queued &&
    a.sending === b.sending &&
    a.createdThread === b.createdThread
  )
}
