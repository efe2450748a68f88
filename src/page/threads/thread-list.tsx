// The list of threads, grouped by day. A long list is rendered in parts; a button shows older threads.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { groupByDay } from '../lib/group-by-day.ts'
import { INITIAL_ROWS } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { ThreadItem } from './thread-item.tsx'

export function ThreadList() {
  const { ports, rows, session, threads } = useApp()
  const rowsShownMax = useSignal(INITIAL_ROWS)
  const isLoadingOlder = useSignal(false)
  const allRows = rows.value
  const trouble = threads.trouble.value
  const showOlder = async (): Promise<void> => {
    isLoadingOlder.value = true
    if (rowsShownMax.value + INITIAL_ROWS > (allRows?.length ?? 0)) await threads.readMore()
    rowsShownMax.value += INITIAL_ROWS
    isLoadingOlder.value = false
  }
  const hasHiddenRows = (allRows?.length ?? 0) > rowsShownMax.value
  return (
    <>
      {/* The bar below the header reports an expired key. */}
      <FailureNotice
        trouble={session.isExpired.value ? null : trouble}
        onRetry={() => void threads.refresh()}
      />
      {allRows === null && !trouble && <Skeleton lines={6} label="Threads are loading" />}
      {allRows?.length === 0 && <p class="quiet side-note">Your threads will appear here.</p>}
      {groupByDay(allRows?.slice(0, rowsShownMax.value) ?? [], ({ time }) => time, ports.now()).map(
        ({ label, items }) => (
          <section key={label} class="day">
            <h2>{label}</h2>
            <ul>
              {items.map((row) => (
                <ThreadItem key={row.threadIds[0] ?? 'new'} {...row} />
              ))}
            </ul>
          </section>
        ),
      )}
      {(hasHiddenRows || threads.hasMore.value) && (
        <Button kind="plain" class="wide" isBusy={isLoadingOlder.value} onPress={() => void showOlder()}>
          Show older
        </Button>
      )}
    </>
  )
}
