// What the page knows, put together once: the stores and how they hear of each other. Draws nothing.

import { effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

import { BUSY_LOOK_MS, LOOK_AGAIN_MS } from './threads/limits.ts'
import type { Ports } from '../lib/platform.ts'
import { createAttachments, type Attachments } from './files/attachments.ts'
import { createComposer, type Composer } from './composer/composer.ts'
import { createConversation, type Conversation } from './chat/conversation.ts'
import { createDeletions, type Deletions } from './threads/deletions.ts'
import { createDrafts } from './composer/drafts.ts'
import { createDrawer, type Drawer } from './frame/drawer.ts'
import { createLine, type Line } from './frame/line.ts'
import { createModels, type Models } from './composer/models.ts'
import { createNewborn } from './threads/unlisted.ts'
import { createOpenedSkill, type OpenedSkill } from './library/opened-skill.ts'
import { createPanel, type Panel } from './files/panel.ts'
import { resendWhenBack } from './chat/resend.ts'
import { createRoute, type Place, type Route } from './frame/route.ts'
import { createRows, type ThreadRow } from './threads/rows.ts'
import { createSearch, type Search } from './threads/search.ts'
import { createSession, keyInAddress, type Session } from './key/session.ts'
import { createShortcuts, type Shortcuts } from './frame/shortcuts.ts'
import { createSkills, type Skills } from './library/skills.ts'
import { createCommands, type Commands } from './composer/slash.ts'
import { createStatus, narrate } from './frame/status.ts'
import { createTheme, type Theme } from './frame/theme.ts'
import { createThreads, type Threads } from './threads/threads.ts'
import { createToasts, type Toasts } from './frame/toasts.ts'

interface Named {
  readonly id: string
  readonly title: string
}

export interface App {
  readonly ports: Ports
  readonly session: Session
  readonly route: Route
  readonly line: Line
  readonly theme: Theme
  readonly shortcuts: Shortcuts
  readonly drawer: Drawer
  readonly threads: Threads
  readonly rows: ReadonlySignal<readonly ThreadRow[] | null>
  readonly deletions: Deletions
  readonly search: Search
  readonly conversation: Conversation
  readonly composer: Composer
  readonly attachments: Attachments
  readonly models: Models
  readonly commands: Commands
  readonly panel: Panel
  /** What the status line says. */
  readonly status: ReadonlySignal<string>
  readonly say: (text: string) => void
  readonly skills: Skills
  readonly openedSkill: OpenedSkill
  readonly toasts: Toasts
  /** The thread whose name is asked for; null: none. */
  readonly naming: Signal<Named | null>
}

export function createApp(ports: Ports, window: Window & typeof globalThis): App {
  const url = window.location.origin
  const line = createLine(window, ports, url)
  const session = createSession(ports, url, line.met)
  // Before the address is read for a place.
  session.begin(keyInAddress(window))
  const { client } = session
  const route = createRoute(window)
  const threads = createThreads(ports, client)
  const conversation = createConversation({
    ports,
    client,
    onThread: (threadId) => route.go({ view: 'chat', threadId }),
    onRun: () => void threads.refresh(true),
  })
  const toasts = createToasts(ports)
  const deletions = createDeletions({ client, toasts, onGone: threads.drop })
  const newborn = createNewborn(conversation, threads.list, ports.now)
  const skills = createSkills(ports, client)
  const openedSkill = createOpenedSkill(client)
  const { text: status, say } = createStatus()
  const attachments = createAttachments({ session, threadId: conversation.threadId, say })
  const models = createModels(ports, client)
  const drafts = createDrafts(ports, session.account)
  const composer = createComposer({ conversation, attachments, drafts, models, say })
  narrate(conversation.active, say)
  resendWhenBack(line.backs, conversation)

  showWhatTheAddressSays(session, route, composer, conversation)
  effect(() => {
    if (client.value) void models.read()
  })
  effect(() => {
    if (session.forgotten.value > 0) untracked(() => composer.forget())
  })
  effect(() => {
    const { view } = route.place.value
    if (client.value && view === 'skills') void skills.want()
  })
  effect(() => {
    const place = route.place.value
    if (client.value && place.view === 'skill') void openedSkill.open(place.name)
  })
  keepTheListFresh(session, line, threads, window, ports)
  window.addEventListener('hashchange', () => {
    const given = keyInAddress(window)
    if (given !== null) session.begin(given)
  })
  window.addEventListener('pagehide', () => {
    drafts.flush()
    // Deletions that could still be taken back go out now.
    toasts.closeAll()
  })

  return {
    ports,
    session,
    route,
    line,
    theme: createTheme(ports, window.document.documentElement),
    shortcuts: createShortcuts(ports),
    drawer: createDrawer(window),
    threads,
    rows: createRows(threads, newborn, deletions, conversation),
    deletions,
    search: createSearch(ports, client),
    conversation,
    composer,
    attachments,
    models,
    commands: createCommands(ports, client),
    panel: createPanel({ client, conversation, attachments }),
    status,
    say,
    skills,
    openedSkill,
    toasts,
    naming: signal(null),
  }
}

/** Opens what the address names, unless it is open. */
export function showWhatTheAddressSays(
  { client }: Pick<Session, 'client'>,
  route: Pick<Route, 'place'>,
  composer: Pick<Composer, 'open'>,
  conversation: Pick<Conversation, 'open' | 'state' | 'threadId'>,
): void {
  let shown: Place | null = null
  effect(() => {
    const place = route.place.value
    if (!client.value) {
      shown = null
      untracked(() => void conversation.open(null))
      return
    }
    if (place.view !== 'chat') return
    const failed = conversation.state.peek() === 'failed'
    // Another key is no reason to lose what is shown, but what could not be shown is tried again.
    if (place === shown && !failed) return
    shown = place
    // The address of a conversation that just got its id, or still has none, is already shown.
    const isKnown = place.threadId !== null || place.begun
    if (isKnown && place.threadId === conversation.threadId.peek() && !failed) return
    untracked(() => {
      composer.open(place.threadId)
      void conversation.open(place.threadId)
    })
  })
}

/** It changes in other tabs and on other machines: whoever looks at the page again sees it as it is. */
function keepTheListFresh(
  { client }: Session,
  { backs }: Line,
  threads: Threads,
  window: Window,
  { now, wait }: Ports,
): void {
  let last = 0
  let watching = false
  const isBusy = (): boolean =>
    threads.list.value?.some(({ id, status }) => status === 'busy' && !threads.waiting.value.has(id)) ?? false
  const watch = async (): Promise<void> => {
    if (watching) return
    watching = true
    while (isBusy() && client.peek()) {
      await wait(BUSY_LOOK_MS)
      if (!window.document.hidden) await threads.refresh()
    }
    watching = false
  }
  effect(() => {
    if (isBusy()) untracked(() => void watch())
  })
  const look = (): void => {
    if (window.document.hidden || !client.peek() || now() - last < LOOK_AGAIN_MS) return
    last = now()
    void threads.refresh()
  }
  effect(() => {
    void client.value
    void backs.value
    last = now()
    void threads.refresh()
  })
  window.addEventListener('focus', look)
  window.document.addEventListener('visibilitychange', look)
}

const Context = createContext<App | null>(null)
export const AppProvider = Context.Provider

export function useApp(): App {
  const app = useContext(Context)
  if (!app) throw new Error('a part of the page stands outside of it')
  return app
}
