// A link to the thread of another owner from which the open one was forked. Branches of one owner are shown in place.

import { useApp } from '../state/app.ts'
import { Icon } from '../parts/icon.tsx'
import { addressOf, threadRoute } from '../state/frame/route.ts'
import { rowOf } from '../state/threads/rows.ts'

export function ForkOrigin() {
  const { conversation, rows } = useApp()
  const info = conversation.info.value
  const source = info && info.root === info.id ? info.forked_from : null
  if (!source) return null
  return (
    <div class="origin">
      <a href={addressOf(threadRoute(source.thread_id))}>
        <Icon name="branch" />
        <span>
          Branch of <cite dir="auto">{rowOf(rows.value, source.thread_id)?.title ?? 'another thread'}</cite>
        </span>
      </a>
    </div>
  )
}
