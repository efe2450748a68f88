// The calls that wait for the user, each with its thread. An answered call stays in its place as one line until the inbox is
// closed, and the focus moves to the next call.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'

import { FailureNotice } from '../actions/failure-notice.tsx'
import { ApprovalCard } from '../chat/turn-approval.tsx'
import { counted } from '../../lib/counted.ts'
import { formatSince } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useApp } from '../state/app.ts'
import { addressOf, threadRoute } from '../state/frame/route.ts'
import type { InboxEntry } from '../state/inbox/inbox.ts'
import { rowOf } from '../state/threads/rows.ts'
import { NotifySwitch } from './notify-switch.tsx'

export function InboxList() {
  const { inbox, threads } = useApp()
  const list = useRef<HTMLDivElement>(null)
  const answeredKey = useSignal<string | null>(null)
  useEffect(() => () => inbox.clearAnswered(), [])
  useLayoutEffect(() => {
    if (answeredKey.value !== null) focusNext(list.current, answeredKey.value)
  }, [answeredKey.value])
  const entries = inbox.entries.value
  const count = inbox.count.value
  return (
    <section class="inbox" aria-label="Needs you" ref={list} tabIndex={-1}>
      <div class="inbox-head">
        <p class="quiet" role="status">
          {entries && count > 0 && `${counted(count, 'call is', 'calls are')} waiting for your approval.`}
          {count === 0 && entries && entries.length > 0 && 'All calls are answered.'}
        </p>
        <NotifySwitch />
      </div>
      {entries === null && (
        <FailureNotice trouble={threads.trouble.value} onRetry={() => void threads.refresh()} />
      )}
      {entries === null && !threads.trouble.value && <Skeleton lines={4} label="Calls are loading" />}
      {entries?.length === 0 && (
        <div class="nothing">
          <Icon name="inbox" />
          <h2>Nothing needs you</h2>
          <p class="quiet">When the agent asks for your approval in any of your threads, it appears here.</p>
        </div>
      )}
      {entries && entries.length > 0 && (
        <ol aria-label="Calls">
          {entries.map((entry) => (
            <InboxItem
              key={entry.item.key}
              entry={entry}
              onAnswered={() => (answeredKey.value = entry.item.key)}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

interface InboxItemProps {
  readonly entry: InboxEntry
  readonly onAnswered: () => void
}

function InboxItem({ entry, onAnswered }: InboxItemProps) {
  const { inbox, ports, rows, threads } = useApp()
  const { item, requestedAt } = entry
  const title = rowOf(rows.value, item.threadId)?.title ?? 'Open the thread'
  return (
    <li data-key={item.key}>
      <p class="inbox-thread">
        <a href={addressOf(threadRoute(item.threadId))}>
          <span dir="auto">{title}</span>
          <Icon name="chevron-right" />
        </a>
        <time class="quiet" dateTime={requestedAt}>
          {formatSince(requestedAt, ports.now())}
        </time>
      </p>
      <ApprovalCard
        item={item}
        onAnswered={(decision, by) => {
          inbox.recordAnswer(entry, decision, by)
          onAnswered()
          void threads.refresh(true)
        }}
        onRefused={() => void threads.refresh()}
      />
    </li>
  )
}

/** Focuses the title of the next waiting call, or else of the first, or else the inbox. */
function focusNext(list: HTMLElement | null, answeredKey: string): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('li[data-key]') ?? [])]
  const index = items.findIndex(({ dataset }) => dataset['key'] === answeredKey)
  const next = [...items.slice(index + 1), ...items].find((element) => element.querySelector('.approval'))
  const target = next?.querySelector<HTMLElement>('h3') ?? list
  target?.focus()
}
