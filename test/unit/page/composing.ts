// The composer's stores over a scripted server, without a browser: the starting point of its tests.

import { signal } from '@preact/signals'

import type { Store, Upload } from '../../../src/page/lib/platform.ts'
import { createAttachments, type Attachments } from '../../../src/page/state/files/attachments.ts'
import { createComposer, type Composer } from '../../../src/page/state/composer/composer.ts'
import { createConversation } from '../../../src/page/state/chat/conversation.ts'
import type { Conversation } from '../../../src/page/state/chat/conversation-api.ts'
import { createDrafts } from '../../../src/page/state/composer/drafts.ts'
import { createModels, type Models } from '../../../src/page/state/composer/models.ts'
import { createSession } from '../../../src/page/state/key/session.ts'
import { browserOf, fakePage, settled, type Answers, type FakePage, type Tabs } from './ports.ts'

export interface Composing extends FakePage {
  readonly composer: Composer
  readonly attachments: Attachments
  readonly conversation: Conversation
  readonly models: Models
  readonly announced: string[]
  /** One entry each time the server could not be reached. */
  readonly lost: readonly unknown[]
  /** The stored drafts of the browser and the tab, by thread. */
  drafts(): Record<string, unknown>
  /** Opens a thread as a change of the URL does. */
  go(threadId: string | null): Promise<void>
}

export async function composing(
  answers: Answers,
  upload?: Upload,
  tabs: Tabs = browserOf(),
  /** The storage of a reloaded tab. */
  tab?: Store,
  key = 'a-key',
): Promise<Composing> {
  const page = fakePage(answers, tabs)
  const ports = { ...page.ports, ...(upload ? { upload } : {}), ...(tab ? { tab } : {}) }
  const lost: unknown[] = []
  const session = createSession(ports, 'http://page.test', (reached) => void (reached || lost.push(false)))
  await session.enter(key, false)
  const { client } = session
  const output: string[] = []
  const announce = (text: string): void => void output.push(text)
  const conversation = createConversation({
    ports,
    client,
    hiddenIds: signal(new Set<string>()),
    onThreadAssigned: () => {},
    onRunChanged: () => {},
  })
  const attachments = createAttachments({ session, threadId: conversation.threadId, announce })
  const models = createModels(ports, client)
  const drafts = createDrafts(ports, session.account)
  const composer = createComposer({ conversation, attachments, drafts, models, announce })
  const go = async (threadId: string | null): Promise<void> => {
    composer.open(threadId)
    void conversation.open(threadId)
    await settled()
  }
  await go(null)
  return {
    ...page,
    ports,
    composer,
    attachments,
    conversation,
    models,
    announced: output,
    lost,
    go,
    drafts() {
      const kept = [...ports.browser.names(), ...ports.tab.names()].filter((name) =>
        name.startsWith('satchel.draft.'),
      )
      return Object.fromEntries(
        kept.map((name) => [
          name.replace(/^satchel\.draft\.[^.]*\./, ''),
          {
            ...JSON.parse(ports.browser.get(name) ?? '{}'),
            ...JSON.parse(ports.tab.get(name) ?? '{}'),
          },
        ]),
      )
    },
  }
}

/** A promise that the test resolves. */
export function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { opened: promise, open: resolve }
}
