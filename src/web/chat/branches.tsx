// Where a thread branched off, and what branched off it: the way there and back.

import { useApp } from '../app.ts'
import { counted, when, wholeTime } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { addressOf } from '../state/route.ts'

export function Branches() {
  const { conversation, threads, ports } = useApp()
  const info = conversation.info.value
  const from = info?.forked_from ?? null
  const branches = info?.branches ?? []
  if (!from && branches.length === 0) return null
  const titleOf = (id: string): string | null =>
    threads.list.value?.find((thread) => thread.id === id)?.title || null
  return (
    <div class="branches quiet">
      {from && (
        <p>
          <Icon name="branch" /> Branch of{' '}
          <a href={addressOf({ view: 'chat', threadId: from.thread_id })} dir="auto">
            {titleOf(from.thread_id) ?? 'an earlier thread'}
          </a>
        </p>
      )}
      {branches.length > 0 && (
        <details>
          <summary>
            <Icon name="branch" /> {counted(branches.length, 'branch', 'branches')}
          </summary>
          <ul aria-label="Branches of this thread">
            {branches.map(({ thread_id: id, created_at: at }) => (
              <li key={id}>
                <a href={addressOf({ view: 'chat', threadId: id })} dir="auto">
                  {titleOf(id) ?? 'A branch'}
                </a>{' '}
                <time dateTime={at} title={wholeTime(at)}>
                  {when(at, ports.now())}
                </time>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
