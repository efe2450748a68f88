// Remembers in this browser which branch of a thread was viewed last.

import { effect, signal } from '@preact/signals'

import { parseJson } from '../../lib/fields.ts'
import type { Ports } from '../../lib/platform.ts'
import type { Conversation } from '../chat/conversation-api.ts'
import { LAST_VIEWED_MAX } from './limits.ts'

const STORAGE_NAME = 'satchel.branches'

export interface LastViewed {
  /** The branch of a root that was viewed last, or null. */
  of(root: string): string | null
  /** Forgets all of them, because the next user may be a different person. */
  forget(): void
}

export function createLastViewed(
  { browser }: Pick<Ports, 'browser'>,
  { info }: Pick<Conversation, 'info'>,
): LastViewed {
  const branches = signal(readBranches(browser.get(STORAGE_NAME)))
  effect(() => {
    const { id, root, branches: forks = [] } = info.value ?? {}
    if (id === undefined || root === undefined || branches.peek().get(root) === id) return
    // A thread without branches opens anyway.
    if (id === root && forks.length === 0) return
    const others = [...branches.peek()].filter(([other]) => other !== root)
    branches.value = new Map([...others, [root, id] as const].slice(-LAST_VIEWED_MAX))
    browser.set(STORAGE_NAME, JSON.stringify([...branches.peek()]))
  })
  return {
    of: (root) => branches.value.get(root) ?? null,
    forget() {
      branches.value = new Map()
      browser.remove(STORAGE_NAME)
    },
  }
}

/** What another version of the page stored may have any form. */
function readBranches(text: string | null): ReadonlyMap<string, string> {
  const stored = parseJson(text)
  if (!Array.isArray(stored)) return new Map()
  return new Map(
    stored.flatMap((pair: unknown): [string, string][] => {
      const [root, id]: unknown[] = Array.isArray(pair) ? pair : []
      return typeof root === 'string' && typeof id === 'string' ? [[root, id]] : []
    }),
  )
}
