// What the page knows, put together once: the stores and how they hear of each other. Draws nothing.

import { effect, untracked, type ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

import type { Ports } from './platform.ts'
import { createAttachments, type Attachments } from './state/attachments.ts'
import { createComposer, type Composer } from './state/composer.ts'
import { createConversation, type Conversation } from './state/conversation.ts'
import { createDrafts } from './state/drafts.ts'
import { createModels, type Models } from './state/models.ts'
import { createPanel, type Panel } from './state/panel.ts'
import { createRoute, type Route } from './state/route.ts'
import { createSession, type Session } from './state/session.ts'
import { createCommands, type Commands } from './state/slash.ts'
import { createStatus, narrate } from './state/status.ts'
import { createThreads, type Threads } from './state/threads.ts'
import { createToasts, type Toasts } from './state/toasts.ts'

export interface App {
  readonly ports: Ports
  readonly session: Session
  readonly route: Route
  readonly threads: Threads
  readonly conversation: Conversation
  readonly composer: Composer
  readonly attachments: Attachments
  readonly models: Models
  readonly commands: Commands
  readonly panel: Panel
  /** What the status line says. */
  readonly status: ReadonlySignal<string>
  readonly say: (text: string) => void
  readonly toasts: Toasts
}

export function createApp(ports: Ports, window: Window): App {
  const session = createSession(ports, window.location.origin)
  const route = createRoute(window)
  const threads = createThreads(ports, session.client)
  const conversation = createConversation({
    ports,
    client: session.client,
    onThread: (threadId) => route.go({ view: 'chat', threadId }),
    onRun: () => void threads.refresh(true),
  })
  const toasts = createToasts(ports)
  const { text: status, say } = createStatus()
  const attachments = createAttachments({ session, threadId: conversation.threadId, say })
  const models = createModels(ports, session.client)
  const commands = createCommands(ports, session.client)
  narrate(conversation.active, say)
  const drafts = createDrafts(ports)
  const composer = createComposer({ conversation, attachments, drafts, models, say })
  const panel = createPanel({ client: session.client, conversation, attachments })
  window.addEventListener('pagehide', () => drafts.flush())
  let signedIn = false
  effect(() => {
    const by = session.client.value
    if (by) {
      void threads.refresh()
      void models.read()
    } else if (signedIn) composer.forget()
    signedIn = by !== null
  })
  effect(() => {
    const place = route.place.value
    if (!session.client.value || place.view !== 'chat') return
    // The address of a conversation that just got its id is already shown.
    if (place.threadId !== null && place.threadId === conversation.threadId.peek()) return
    untracked(() => composer.open(place.threadId))
    void conversation.open(place.threadId)
  })
  return {
    ports,
    session,
    route,
    threads,
    conversation,
    composer,
    attachments,
    models,
    commands,
    panel,
    toasts,
    status,
    say,
  }
}

const Context = createContext<App | null>(null)
export const AppProvider = Context.Provider

export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('a part of the page stands outside of it')
  return app
}
