// The side: a new thread, and the threads that are there.

import { useApp } from '../app.ts'
import { when } from '../lib/format.ts'
import { Button } from '../parts/button.tsx'
import { addressOf } from '../state/route.ts'

export function Side() {
  const { threads, route, conversation, ports } = useApp()
  return (
    <aside id="side" aria-label="Threads and skills">
      <Button kind="main" onPress={() => route.go({ view: 'chat', threadId: null })}>
        New thread
      </Button>
      <nav aria-label="Threads">
        <ul>
          {(threads.list.value ?? []).map(({ id, title, updated_at }) => (
            <li key={id}>
              <a
                href={addressOf({ view: 'chat', threadId: id })}
                aria-current={conversation.threadId.value === id ? 'page' : undefined}
                dir="auto"
              >
                {title || 'New thread'}
              </a>
              {threads.waiting.value.has(id) && <span class="badge">waits</span>}
              <time dateTime={updated_at}>{when(updated_at, ports.now())}</time>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  )
}
