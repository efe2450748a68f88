// One thread in the side: its title, whether it waits, and what can be done with it.

import { useComputed } from '@preact/signals'

import type { FoundThread } from '../../thread/api.ts'
import { useApp } from '../state/app.ts'
import { wholeTime } from '../lib/format.ts'
import { BEFORE_CHARS } from './limits.ts'
import { Badge } from '../parts/badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { addressOf, atThread, isThread } from '../state/frame/route.ts'
import type { ListedThread } from '../state/threads/rows.ts'
import { useThreadMenu } from '../actions/thread-menu.ts'

export interface ThreadItemProps extends ListedThread {
  /** Where a search found its words. */
  readonly match?: FoundThread['match']
}

export function ThreadItem({ id, title, time, busy, waits, match }: ThreadItemProps) {
  const { conversation, route } = useApp()
  // Of hundreds of lines only the two that change are drawn anew.
  const current = useComputed(() => isThread(route.current.value) && conversation.threadId.value === id)
  return (
    <li class="thread">
      <a
        href={addressOf(atThread(id))}
        onClick={(event) => {
          if (id !== null) return
          // It has no address yet, and the one that it is given here is that of a new one.
          event.preventDefault()
          route.go({ ...atThread(null), begun: true }, isThread(route.current.peek()))
        }}
        aria-current={current.value ? 'page' : undefined}
        title={`${title}\n${wholeTime(time)}`}
      >
        <span class="thread-title" dir="auto">
          {title}
        </span>
        {waits && (
          <Badge kind="warn" title="A call in it waits for your yes or no">
            waits
          </Badge>
        )}
        {busy && (
          <span class="busy" title="Is being answered">
            <span class="unseen">is being answered</span>
          </span>
        )}
        {match && (
          <span class="thread-match" dir="auto">
            {endOf(match.before)}
            <mark>{match.hit}</mark>
            {match.after}
          </span>
        )}
      </a>
      {id !== null && <LineMenu id={id} title={title} />}
    </li>
  )
}

/** So much of what stands before the words that these are seen in two narrow lines. */
function endOf(before: string): string {
  if (before.length <= BEFORE_CHARS) return before
  return `…${before.slice(-BEFORE_CHARS).replace(/^\S*\s/, '')}`
}

function LineMenu({ id, title }: { readonly id: string; readonly title: string }) {
  return <Menu label={`More for ${title}`} class="small" items={useThreadMenu(id, title)} />
}
