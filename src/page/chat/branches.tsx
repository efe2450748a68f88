// The thread that the open thread was forked from, and its own forks.

import { useApp } from '../state/app.ts'
import { counted } from '../../lib/counted.ts'
import { formatTime } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { addressOf, threadRoute } from '../state/frame/route.ts'

export function Branches() {
  const { conversation, rows, route } = useApp()
  const info = conversation.info.value
  const titleOf = (id: string): string | null => rows.value?.find((row) => row.id === id)?.title ?? null
  const parentId = info?.forked_from?.thread_id
  const branches = info?.branches ?? []
  if (!parentId && branches.length === 0) return null
  return (
    <div class="origin">
      {parentId && (
        <a href={addressOf(threadRoute(parentId))}>
          <Icon name="branch" />
          <span>
            Branch of <cite dir="auto">{titleOf(parentId) ?? 'another thread'}</cite>
          </span>
        </a>
      )}
      {branches.length > 0 && (
        <Menu
          label="Branches of this thread"
          icon="branch"
          text={counted(branches.length, 'branch', 'branches')}
          items={branches.map(({ thread_id: threadId, created_at: createdAt }) => ({
            label: titleOf(threadId) ?? `Branch of ${formatTime(createdAt)}`,
            onPress: () => route.go(threadRoute(threadId)),
          }))}
        />
      )}
    </div>
  )
}
