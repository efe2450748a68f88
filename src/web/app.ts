// What the page knows, put together once: the stores and how they hear of each other. Draws nothing.

import { effect } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

import type { Ports } from './platform.ts'
import { createConversation, type Conversation } from './state/conversation.ts'
import { createRoute, type Route } from './state/route.ts'
import { createSession, type Session } from './state/session.ts'
import { createThreads, type Threads } from './state/threads.ts'
import { createToasts, type Toasts } from './state/toasts.ts'

export interface App {
  readonly ports: Ports
  readonly session: Session
  readonly route: Route
  readonly threads: Threads
  readonly conversation: Conversation
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
  effect(() => {
    if (session.client.value) void threads.refresh()
  })
  effect(() => {
    const place = route.place.value
    if (!session.client.value || place.view !== 'chat') return
    // The address of a conversation that just got its id is already shown.
    if (place.threadId !== null && place.threadId === conversation.threadId.peek()) return
    void conversation.open(place.threadId)
  })
  const toasts = createToasts(ports)
  return { ports, session, route, threads, conversation, toasts }
}

const Context = createContext<App | null>(null)
export const AppProvider = Context.Provider

export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('a part of the page stands outside of it')
  return app
}
