// The commands /compact, /model and /summary, which begin or show context windows of a thread.

import { listModels } from '../../src/client/skills.ts'
import { compactThread, listReceipts, readThread } from '../../src/client/threads.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmless, harmlessLine } from '../lib/terminal.ts'
import { followTurn } from './turn.ts'

import type { ThreadInfo } from '../../src/thread/api.ts'
import type { ChatSession } from './session.ts'

export const NO_THREAD = 'There is no thread yet: write a message, or /open a thread.'

/** `/compact [WHAT]`. Returns false if the user left. */
export async function compactCommand(session: ChatSession, what: string): Promise<false | void> {
  const { server, terminal, threadId } = session
  if (threadId === undefined) return terminal.screen.line(NO_THREAD)
  const started = await compactThread(server.client, threadId, what || null)
  if (!started.ok) return terminal.screen.fault(explainFailure(started.error, server.url))
  const turn = await followTurn(server, terminal, (listener) =>
    server.client.follow(threadId, started.value, null, listener),
  )
  if (turn.isLeft) return false
  const info = await readThread(server.client, threadId)
  if (info.ok) terminal.screen.line(await contextLine(server, info.value), 'dim')
}

/** How full the context window of a thread is. */
export async function contextLine({ client }: Server, thread: ThreadInfo): Promise<string> {
  const { model, context_tokens: tokens } = thread
  const models = await listModels(client)
  const window = models.ok ? models.value.find(({ id }) => id === model)?.window : null
  const share = window ? ` of at most ${formatCount(window)} (${Math.round((tokens / window) * 100)} %)` : ''
  return `its context has ${formatCount(tokens)} tokens${share}`
}

/** `/model`: lists the models. `/model ID`: the next message continues the thread with that model, or begins one. */
export async function modelCommand(session: ChatSession, id: string): Promise<void> {
  const { server, threadId, beginsThread, terminal } = session
  const { screen } = terminal
  const models = await listModels(server.client)
  if (!models.ok) return screen.fault(explainFailure(models.error, server.url))
  if (id !== '') {
    if (models.value.every((model) => model.id !== id))
      return screen.line(`There is no model ${harmlessLine(id)}; /model lists them.`)
    session.nextModel = id
    const what = beginsThread ? 'starts a thread' : 'continues this thread'
    return screen.line(`Your next message ${what} with ${harmlessLine(id)}.`, 'dim')
  }
  const info = beginsThread || threadId === undefined ? null : await readThread(server.client, threadId)
  if (info?.ok === false) return screen.fault(explainFailure(info.error, server.url))
  for (const { id: name, window, default: isDefault } of models.value) {
    const isUsed = session.nextModel === null ? name === info?.value.model : name === session.nextModel
    const facts = [
      ...(window === null ? [] : [`${formatCount(window)} tokens`]),
      ...(isDefault ? ['default'] : []),
      ...(isUsed ? [session.nextModel === null ? 'of this thread' : 'from your next message on'] : []),
    ]
    screen.row(harmlessLine(name), facts.join(' · '))
  }
}

/** `/summary`: shows the summary with which the thread's newest window began. */
export async function showSummary({ server, threadId, terminal: { screen } }: ChatSession): Promise<void> {
  if (threadId === undefined) return screen.line(NO_THREAD)
  let cursor: string | null = null
  do {
    const page = await listReceipts(server.client, threadId, { cursor })
    if (!page.ok) return screen.fault(explainFailure(page.error, server.url))
    // The newest runs come first.
    const summary = page.value.data.flatMap(({ windows = [] }) => windows.slice(-1))[0]?.summary
    if (summary !== undefined) return screen.line(harmless(summary))
    cursor = page.value.next_cursor
  } while (cursor !== null)
  screen.line('This conversation was not compacted yet.')
}

export function formatCount(number: number): string {
  return number.toLocaleString('en-US')
}
