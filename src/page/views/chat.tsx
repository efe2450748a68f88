// The view of a conversation: its turns, and the message form below them.

import { useLayoutEffect } from 'preact/hooks'

import { FailureNotice } from '../actions/failure-notice.tsx'
import { useThreadMenu } from '../actions/thread-menu.ts'
import { Log } from '../chat/log.tsx'
import { ForkOrigin } from '../chat/origin.tsx'
import { ComposerForm } from '../composer/composer-form.tsx'
import { MissingThread } from '../chat/missing-thread.tsx'
import { FilesPanel } from '../files/panel.tsx'
import { Ideas } from '../library/ideas.tsx'
import { preloadProse } from '../markdown/prose.tsx'
import { Menu } from '../parts/menu.tsx'
import { useApp, type App } from '../state/app.ts'
import type { Conversation } from '../state/chat/conversation-api.ts'
import { threadRoute, type PageRoute } from '../state/frame/route.ts'
import { rowOf, UNTITLED } from '../state/threads/rows.ts'
import type { View } from './view.ts'

export const CHAT_VIEW: View = {
  address: threadRoute(null).view,
  title: titleOfThread,
  header: { below: ForkOrigin, menu: ThreadMenu },
  load: openThread,
  view: ChatView,
  aside: FilesPanel,
}

/** Whether the thread does not exist for this user. Such a thread cannot be renamed or deleted. */
export function isMissing({ state, trouble }: Pick<Conversation, 'state' | 'trouble'>): boolean {
  return state.value === 'failed' && trouble.value?.remedy === 'new'
}

/** The title of the open thread, or null for a new one. */
export function titleOfThread({ conversation, rows }: Pick<App, 'conversation' | 'rows'>): string | null {
  if (isMissing(conversation)) return 'Thread not found'
  const id = conversation.threadId.value
  const row = rowOf(rows.value, id, conversation.info.value?.root)
  if (row) return row.title
  if (id === null) return null
  return conversation.info.value?.title || UNTITLED
}

/** Opens the thread of the route, unless it is already open. */
export function openThread(
  { composer, conversation }: Pick<App, 'composer' | 'conversation'>,
  { id, isAlreadyOpen }: PageRoute,
  isSameRoute: boolean,
): void {
  // After the key has changed, keep a conversation that is shown, but retry one that could not be shown.
  if (conversation.state.value !== 'failed') {
    // The route may refer to the conversation that is already open.
    const isKnown = id !== null || isAlreadyOpen
    if (isSameRoute || (isKnown && id === conversation.threadId.value)) return
  }
  composer.open(id)
  if (id !== null) preloadProse()
  void conversation.open(id)
}

function ThreadMenu() {
  const app = useApp()
  const id = app.conversation.threadId.value
  const row = rowOf(app.rows.value, id, app.conversation.info.value?.root)
  const items = useThreadMenu(row?.threadIds ?? [id ?? ''], id ?? '', titleOfThread(app) ?? UNTITLED)
  return id === null || isMissing(app.conversation) ? null : <Menu label="Thread" items={items} />
}

function ChatView() {
  const { conversation, route } = useApp()
  const isNew = conversation.threadId.value === null && conversation.state.value === 'ready'
  const isEmpty = isNew && conversation.turns.value.length === 0
  const missing = isMissing(conversation)
  // Set an attribute on the root instead of using `:has()`, which would be evaluated again on each change below it,
  // such as every word of an answer.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-empty', isEmpty)
    return () => document.documentElement.removeAttribute('data-empty')
  }, [isEmpty])
  return (
    <>
      <Log>
        {missing ? (
          <MissingThread />
        ) : (
          <FailureNotice
            trouble={conversation.trouble.value}
            onRetry={() => void conversation.open(route.current.peek().id)}
          />
        )}
        {isEmpty && <h2 class="greeting">What shall we work on?</h2>}
      </Log>
      {!missing && <ComposerForm />}
      {isEmpty && <Ideas />}
    </>
  )
}
