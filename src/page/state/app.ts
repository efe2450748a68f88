// Creates and connects the page's stores. Renders nothing.

import { effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

import type { Ports } from '../lib/platform.ts'
import { createAttachments, type Attachments } from './files/attachments.ts'
import { createComposer, type Composer } from './composer/composer.ts'
import { createConversation } from './chat/conversation.ts'
import type { Conversation } from './chat/conversation-api.ts'
import { createDeletions, type Deletions } from './threads/deletions.ts'
import { createDrafts } from './composer/drafts.ts'
import { createDrawer, type Drawer } from './frame/drawer.ts'
import { createConnection, type ConnectionState } from './frame/connection.ts'
import { readLabels } from './chat/labels.ts'
import { createInbox, type Inbox } from './inbox/inbox.ts'
import { createModels, type Models } from './composer/models.ts'
import { createNotifier, type Notifier } from './inbox/notifications.ts'
import { createUnlistedThreads } from './threads/unlisted.ts'
import { createOpenedSkill, type OpenedSkill } from './library/opened-skill.ts'
import { createPanel, type Panel } from './files/panel.ts'
import { resendWhenBack } from './chat/resend.ts'
import { INBOX_ADDRESS, threadRoute, createRoute, type Route } from './frame/route.ts'
import { createLastViewed, type LastViewed } from './threads/last-viewed.ts'
import { createRows, type ListedThread } from './threads/rows.ts'
import { createSearch, type Search } from './threads/search.ts'
import { createSession, takeKeyFromAddress, type Session } from './key/session.ts'
import { createShortcuts, type Shortcuts } from './frame/shortcuts.ts'
import { createSide, type Side } from './frame/side.ts'
import { createSkills, type Skills } from './library/skills.ts'
import { createSuggestions, type Suggestions } from './library/suggestions.ts'
import { createStatus, announceProgress } from './frame/status.ts'
import { createTheme, type Theme } from './frame/theme.ts'
import { keepListFresh } from './threads/keep-fresh.ts'
import { createThreads, type Threads } from './threads/threads.ts'
import { createToasts, type Toasts } from './frame/toasts.ts'

interface ThreadToDelete {
  readonly title: string
  /** Number of its versions besides the one that names it. */
  readonly otherVersions: number
  readonly remove: () => void
}

interface RenamedThread {
  readonly id: string
  readonly title: string
}

export interface App {
  readonly ports: Ports
  readonly session: Session
  readonly route: Route
  readonly connection: ConnectionState
  readonly theme: Theme
  readonly shortcuts: Shortcuts
  readonly drawer: Drawer
  readonly side: Side
  readonly threads: Threads
  readonly rows: ReadonlySignal<readonly ListedThread[] | null>
  readonly lastViewed: LastViewed
  readonly deletions: Deletions
  readonly inbox: Inbox
  readonly notifier: Notifier
  readonly search: Search
  readonly conversation: Conversation
  readonly composer: Composer
  readonly attachments: Attachments
  readonly models: Models
  readonly panel: Panel
  /** The text of the status line. */
  readonly status: ReadonlySignal<string>
  readonly announce: (text: string) => void
  readonly skills: Skills
  readonly suggestions: Suggestions
  readonly openedSkill: OpenedSkill
  readonly toasts: Toasts
  readonly isPaletteOpen: Signal<boolean>
  /** The thread whose deletion, with all its versions, is to be confirmed, or null. */
  readonly threadToDelete: Signal<ThreadToDelete | null>
  /** The thread being renamed, or null. */
  readonly renamedThread: Signal<RenamedThread | null>
}

/** Creates all stores. `views`: the addresses of the page's views. */
export function createApp(ports: Ports, window: Window & typeof globalThis, views: readonly string[]): App {
  const url = window.location.origin
  const connection = createConnection(window, ports, url)
  const session = createSession(ports, url, connection.recordReachability)
  // Removes the key from the address before the route is read.
  session.start(takeKeyFromAddress(window))
  const { client } = session
  const route = createRoute(window, views)
  const threads = createThreads(ports, client)
  const toasts = createToasts(ports)
  const deletions = createDeletions({ client, toasts, onDeleted: threads.drop })
  const conversation = createConversation({
    ports,
    client,
    hiddenIds: deletions.hiddenIds,
    onThreadAssigned: (threadId) => route.go(threadRoute(threadId)),
    onRunChanged: () => void threads.refresh(true),
  })
  const lastViewed = createLastViewed(ports, conversation)
  const inbox = createInbox({ client, threads, deletions })
  const notifier = createNotifier({
    ports,
    approvals: threads.approvals,
    document: window.document,
    onPress: () => route.go({ view: INBOX_ADDRESS, id: null }),
  })
  const unlistedThreads = createUnlistedThreads(conversation, threads.list, ports.now)
  const skills = createSkills(ports, client)
  const openedSkill = createOpenedSkill(client)
  const { text: status, announce } = createStatus()
  const attachments = createAttachments({ session, threadId: conversation.threadId, announce })
  const models = createModels(ports, client)
  const drafts = createDrafts(ports, session.account)
  const composer = createComposer({ conversation, attachments, drafts, models, announce })
  announceProgress(conversation.activeTurn, announce)
  resendWhenBack(connection.reconnects, conversation)

  effect(() => {
    if (!client.value) return
    void models.read()
    void readLabels(client.value)
  })
  effect(() => {
    if (session.signOutCount.value > 0)
      untracked(() => {
        composer.forget()
        lastViewed.forget()
      })
  })
  keepListFresh({
    client,
    reconnects: connection.reconnects,
    threads,
    isNotifying: notifier.isOn,
    window,
    ports,
  })
  window.addEventListener('hashchange', () => {
    const keyFromAddress = takeKeyFromAddress(window)
    if (keyFromAddress !== null) session.start(keyFromAddress)
  })
  window.addEventListener('pagehide', () => {
    drafts.flush()
    // Closing the toasts sends the deletions that could still be undone.
    toasts.closeAll()
  })

  return {
    ports,
    session,
    route,
    connection,
    theme: createTheme(ports, window.document.documentElement),
    shortcuts: createShortcuts(ports),
    drawer: createDrawer(window),
    side: createSide(ports, window.document.documentElement),
    threads,
    rows: createRows(threads.list, inbox.waitingIds, unlistedThreads, deletions, conversation, lastViewed),
    lastViewed,
    deletions,
    inbox,
    notifier,
    search: createSearch(ports, client),
    conversation,
    composer,
    attachments,
    models,
    panel: createPanel({ client, conversation, attachments }),
    status,
    announce,
    skills,
    suggestions: createSuggestions(client),
    openedSkill,
    toasts,
    isPaletteOpen: signal(false),
    threadToDelete: signal(null),
    renamedThread: signal(null),
  }
}

const Context = createContext<App | null>(null)
export const AppProvider = Context.Provider

export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('useApp must be called in a component below AppProvider.')
  return app
}
