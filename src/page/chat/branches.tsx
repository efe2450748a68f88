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
  const from = info?.forked_from?.thread_id
  const branches = info?.branches ?? []
  if (!from && branches.length === 0) return null
  return (
    <div class="origin">
      {from && (
        <a href={addressOf(threadRoute(from))}>
          <Icon name="branch" />
          <span>
            Branch of <cite dir="auto">{titleOf(from) ?? 'another thread'}</cite>
          </span>
        </a>
      )}
      {branches.length > 0 && (
        <Menu
          label="Branches of this thread"
          icon="branch"
          text={counted(branches.length, 'branch', 'branches')}
          items={branches.map(({ thread_id: threadId, created_at: at }) => ({
            label: titleOf(threadId) ?? `Branch of ${formatTime(at)}`,
            onPress: () => route.go(threadRoute(threadId)),
          }))}
        />
      )}
    </div>
  )
}
