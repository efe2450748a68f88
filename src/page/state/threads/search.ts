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
  readonly results: ReadonlySignal<readonly FoundThread[] | null>
  readonly hasMore: ReadonlySignal<boolean>
  readonly busy: ReadonlySignal<boolean>
  readonly trouble: ReadonlySignal<Trouble | null>
  setQuery(query: string): void
  /** Repeats the query. */
  readonly repeat: () => void
  readMore(): Promise<void>
}

export function createSearch({ wait }: Pick<Ports, 'wait'>, client: ReadonlySignal<Client | null>): Search {
  const query = signal('')
  const results = signal<readonly FoundThread[] | null>(null)
  const hasMore = signal(false)
  const busy = signal(false)
  const failed = signal<Trouble | null>(null)
  let cursor: string | null = null
  let round = 0

  async function runQuery(ownRound: number, after: string | null): Promise<void> {
    const activeClient = client.peek()
    if (!activeClient || ownRound !== round) return
    const result = await searchThreads(activeClient, query.peek().trim(), {
      cursor: after,
      limit: PAGE_ENTRIES,
    })
    if (ownRound !== round) return
    busy.value = false
    failed.value = result.ok ? null : trouble('The search failed', result.error)
    if (!result.ok) return
    const { data, next_cursor: next } = result.value
    results.value = after === null ? data : [...(results.peek() ?? []), ...data]
    cursor = next
    hasMore.value = next !== null
  }

  function setQuery(newQuery: string): void {
    query.value = newQuery
    const ownRound = ++round
    failed.value = null
    busy.value = newQuery.trim() !== ''
    if (busy.peek()) void wait(SEARCH_MS).then(async () => runQuery(ownRound, null))
    else results.value = null
  }

  // After signing out, clear the results, because they belong to one account.
  effect(() => {
    if (!client.value) untracked(() => setQuery(''))
  })

  return {
    query,
    results,
    hasMore,
    busy,
    trouble: failed,
    setQuery,
    repeat: () => setQuery(query.peek()),
    readMore: async () => {
      if (cursor !== null) await runQuery(round, cursor)
    },
  }
}
