// One thread in the side bar: its title, its state, and its menu.

import { useComputed } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { formatTime } from '../lib/format.ts'
import { Badge } from '../parts/badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { addressOf, threadRoute, isThreadRoute } from '../state/frame/route.ts'
import type { ListedThread } from '../state/threads/rows.ts'
import { useThreadMenu } from '../actions/thread-menu.ts'

export function ThreadItem({ id, threadIds, title, time, isBusy, isWaiting }: ListedThread) {
  const { conversation, route } = useApp()
  // As a computed signal, it renders only the two rows that change again, and not hundreds.
  const isCurrent = useComputed(() => {
    if (!isThreadRoute(route.current.value)) return false
    const [openId, root] = [conversation.threadId.value, conversation.info.value?.root]
    if (openId === null || id === null) return openId === id
    return threadIds.includes(openId) || (root !== undefined && threadIds.includes(root))
  })
  return (
    <li class="thread">
      <a
        href={addressOf(threadRoute(id))}
        onClick={(event) => {
          if (id !== null) return
          // The thread has no address yet, so its link would open another new thread.
          event.preventDefault()
          route.go({ ...threadRoute(null), isAlreadyOpen: true }, isThreadRoute(route.current.peek()))
        }}
        aria-current={isCurrent.value ? 'page' : undefined}
        title={`${title}\n${formatTime(time)}`}
      >
        <span class="thread-title" dir="auto">
          {title}
        </span>
        {isWaiting && (
          <Badge kind="warn" title="A call in this thread waits for your approval">
            Waiting
          </Badge>
        )}
        {isBusy && (
          <span class="busy" title="An answer is running">
            <span class="unseen">is being answered</span>
          </span>
        )}
      </a>
      {id !== null && <ThreadItemMenu id={id} threadIds={threadIds} title={title} />}
    </li>
  )
}

interface ThreadItemMenuProps extends Pick<ListedThread, 'threadIds' | 'title'> {
  readonly id: string
}

function ThreadItemMenu({ id, threadIds, title }: ThreadItemMenuProps) {
  return <Menu label={`More for ${title}`} class="small" items={useThreadMenu(threadIds, id, title)} />
}
