// The list of threads, grouped by day. A long list is rendered in parts; a button shows older threads.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { groupByDay } from '../lib/days.ts'
import { ROWS_DRAWN } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { ThreadItem } from './thread-item.tsx'

export function ThreadList() {
  const { ports, rows, threads } = useApp()
  const drawn = useSignal(ROWS_DRAWN)
  const busy = useSignal(false)
  const all = rows.value
  const failed = threads.trouble.value
  const older = async (): Promise<void> => {
    busy.value = true
    if (drawn.value + ROWS_DRAWN > (all?.length ?? 0)) await threads.readMore()
    drawn.value += ROWS_DRAWN
    busy.value = false
  }
  const hidden = (all?.length ?? 0) > drawn.value
  return (
    <>
      <FailureNotice trouble={failed} onAgain={() => void threads.refresh()} />
      {all === null && !failed && <Skeleton lines={6} label="Threads are loading" />}
      {all?.length === 0 && <p class="quiet side-note">Your threads will appear here.</p>}
      {groupByDay(all?.slice(0, drawn.value) ?? [], ({ time }) => time, ports.now()).map(
        ({ label, items }) => (
          <section key={label} class="day">
            <h2>{label}</h2>
            <ul>
              {items.map((row) => (
                <ThreadItem key={row.id ?? 'new'} {...row} />
              ))}
            </ul>
          </section>
        ),
      )}
      {(hidden || threads.more.value) && (
        <Button kind="plain" class="wide" busy={busy.value} onPress={() => void older()}>
          Show older
        </Button>
      )}
    </>
  )
}
