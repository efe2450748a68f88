// The box that searches threads by title and text, and the results.

import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { counted } from '../../lib/counted.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundThread } from '../../thread/api.ts'
import type { LastViewed } from '../state/threads/last-viewed.ts'
import { rowOf, UNTITLED } from '../state/threads/rows.ts'
import { ThreadItem } from './thread-item.tsx'

export function SearchBox() {
  const { search } = useApp()
  const { value } = search.query
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <label class="unseen" for="search">
        Search threads
      </label>
      <input
        id="search"
        type="text"
        inputMode="search"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={(event) => search.setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          // Keep the drawer open.
          event.preventDefault()
          search.setQuery('')
        }}
      />
      {value !== '' && (
        <Button
          kind="plain"
          icon="close"
          label="Clear the search"
          class="small"
          onPress={() => {
            search.setQuery('')
            document.getElementById('search')?.focus()
          }}
        />
      )}
    </div>
  )
}

export function SearchResults() {
  const { deletions, lastViewed, rows, search, threads } = useApp()
  const found = search.results.value?.filter(({ id }) => !deletions.hiddenIds.value.has(id)) ?? null
  const results = found && onePerRoot(found, lastViewed)
  const trouble = search.trouble.value
  const isSearching = search.isSearching.value
  return (
    <>
      <p class="unseen" role="status">
        {isSearching || !results ? '' : `${counted(results.length, 'thread')} found`}
      </p>
      <FailureNotice trouble={trouble} onRetry={search.repeat} />
      {isSearching && !results && <Skeleton lines={4} label="Searching" />}
      {!isSearching && !trouble && results?.length === 0 && (
        <p class="quiet side-note">
          No thread has “<span dir="auto">{search.query.value.trim()}</span>” in its title or its messages.
        </p>
      )}
      {results && results.length > 0 && (
        <ul class={isSearching ? 'found stale' : 'found'} aria-label="Found threads">
          {results.map(({ id, root, title, updated_at: time, status, branches, match }) => {
            const row = rowOf(rows.value, id, root)
            const forks = id === root ? branches.map((branch) => branch.thread_id) : []
            return (
              <ThreadItem
                key={id}
                id={id}
                threadIds={row?.threadIds ?? [id, ...forks]}
                title={(row?.title ?? title) || UNTITLED}
                time={time}
                isBusy={status === 'busy' && !threads.waitingIds.value.has(id)}
                isWaiting={threads.waitingIds.value.has(id)}
                match={match}
              />
            )
          })}
        </ul>
      )}
      {search.hasMore.value && !isSearching && (
        <Button kind="plain" class="wide" onPress={() => void search.readMore()}>
          Show more
        </Button>
      )}
    </>
  )
}

/** One result for a thread and its branches: the branch viewed last if the text is in it, or else the newest. */
function onePerRoot(found: readonly FoundThread[], lastViewed: LastViewed): readonly FoundThread[] {
  return [...Map.groupBy(found, ({ root }) => root)].flatMap(
    ([root, branches]) => branches.find(({ id }) => id === lastViewed.of(root)) ?? branches[0] ?? [],
  )
}
