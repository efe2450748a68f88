// Searches threads, with a delay after the last keystroke. Only the results of the newest query are used.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { searchThreads } from '../../../client/threads.ts'
import type { FoundThread } from '../../../thread/api.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import { PAGE_ENTRIES } from '../../lib/limits.ts'
import { SEARCH_MS } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'

export interface Search {
  /** The search text, or '' if nothing is searched. */
  readonly query: ReadonlySignal<string>
  /** The results of the last completed query; null if there is none yet. */
  readonly found: ReadonlySignal<readonly FoundThread[] | null>
  readonly more: ReadonlySignal<boolean>
  readonly busy: ReadonlySignal<boolean>
  readonly trouble: ReadonlySignal<Trouble | null>
  look(query: string): void
  /** Repeats the query. */
  readonly again: () => void
  readMore(): Promise<void>
}

export function createSearch({ wait }: Pick<Ports, 'wait'>, client: ReadonlySignal<Client | null>): Search {
  const query = signal('')
  const found = signal<readonly FoundThread[] | null>(null)
  const more = signal(false)
  const busy = signal(false)
  const failed = signal<Trouble | null>(null)
  let cursor: string | null = null
  let round = 0

  async function ask(mine: number, after: string | null): Promise<void> {
    const by = client.peek()
    if (!by || mine !== round) return
    const answer = await searchThreads(by, query.peek().trim(), { cursor: after, limit: PAGE_ENTRIES })
    if (mine !== round) return
    busy.value = false
    failed.value = answer.ok ? null : trouble('The search failed', answer.error)
    if (!answer.ok) return
    const { data, next_cursor: next } = answer.value
    found.value = after === null ? data : [...(found.peek() ?? []), ...data]
    cursor = next
    more.value = next !== null
  }

  function look(given: string): void {
    query.value = given
    const mine = ++round
    failed.value = null
    busy.value = given.trim() !== ''
    if (busy.peek()) void wait(SEARCH_MS).then(async () => ask(mine, null))
    else found.value = null
  }

  // After signing out, clear the results, because they belong to one account.
  effect(() => {
    if (!client.value) untracked(() => look(''))
  })

  return {
    query,
    found,
    more,
    busy,
    trouble: failed,
    look,
    again: () => look(query.peek()),
    readMore: async () => {
      if (cursor !== null) await ask(round, cursor)
    },
  }
}
