// Searches threads, with a delay after the last keystroke. Only the results of the newest query are used.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { searchThreads } from '../../../client/threads.ts'
import type { FoundThread } from '../../../thread/api.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import { PAGE_ENTRIES_MAX } from '../../lib/limits.ts'
import type { LastViewed } from './last-viewed.ts'
import { SEARCH_DELAY_MS } from './limits.ts'
import type { Ports } from '../../lib/platform.ts'

export interface Search {
  /** The search text, or '' if nothing is searched. */
  readonly query: ReadonlySignal<string>
  /** The results of the last completed query; null if there is none yet. */
  readonly results: ReadonlySignal<readonly FoundThread[] | null>
  readonly hasMore: ReadonlySignal<boolean>
  readonly isSearching: ReadonlySignal<boolean>
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
  const isSearching = signal(false)
  const trouble = signal<Trouble | null>(null)
  let cursor: string | null = null
  let queryNumber = 0

  async function runQuery(ownNumber: number, pageCursor: string | null): Promise<void> {
    const activeClient = client.peek()
    if (!activeClient || ownNumber !== queryNumber) return
    const result = await searchThreads(activeClient, query.peek().trim(), {
      cursor: pageCursor,
      limit: PAGE_ENTRIES_MAX,
    })
    if (ownNumber !== queryNumber) return
    isSearching.value = false
    trouble.value = result.ok ? null : describeFailure('The search failed', result.error)
    if (!result.ok) return
    const { data, next_cursor: next } = result.value
    results.value = pageCursor === null ? data : [...(results.peek() ?? []), ...data]
    cursor = next
    hasMore.value = next !== null
  }

  function setQuery(newQuery: string): void {
    query.value = newQuery
    const ownNumber = ++queryNumber
    trouble.value = null
    isSearching.value = newQuery.trim() !== ''
    if (isSearching.peek()) void wait(SEARCH_DELAY_MS).then(async () => runQuery(ownNumber, null))
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
    isSearching,
    trouble,
    setQuery,
    repeat: () => setQuery(query.peek()),
    readMore: async () => {
      if (cursor !== null) await runQuery(queryNumber, cursor)
    },
  }
}

/** One result for a thread and its branches: the branch viewed last if the text is in it, or else the newest. */
export function onePerRoot(
  found: readonly FoundThread[],
  lastViewed: Pick<LastViewed, 'of'>,
): readonly FoundThread[] {
  return [...Map.groupBy(found, ({ root }) => root)].flatMap(
    ([root, branches]) => branches.find(({ id }) => id === lastViewed.of(root)) ?? branches[0] ?? [],
  )
}
