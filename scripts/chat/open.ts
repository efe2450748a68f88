// Continues a thread: selects it, shows the last messages, and follows its run.

import { ok, type Result } from '../../src/lib/result.ts'
import { PAGE_SIZE_MAX } from '../../src/limits/requests.ts'
import { readAllPages } from '../../src/client/pages.ts'
import { listMessages, listReceipts, readThread } from '../../src/client/threads.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { displayTitle } from './lists.ts'
import { followTurn } from './turn.ts'

import type { Message } from '../../src/agent/message.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { ChatSession } from './session.ts'

/** Characters shown of the user's last message. */
const LAST_MESSAGE_MAX_CHARS = 400

/** Handles `/open N` and `/open ID`. If the thread has a run in progress, follows it to its end. */
export async function openInChat(session: ChatSession, reference: string): Promise<false | void> {
  const { server, terminal } = session
  const { screen } = terminal
  if (reference === '')
    return screen.line('Specify the thread: /open N with a number from /threads, or /open ID.')
  const id = /^\d{1,3}\.?$/.test(reference)
    ? session.listedThreadIds[Number.parseInt(reference, 10) - 1]
    : reference
  if (id === undefined)
    return screen.line(`The list has no number ${harmlessLine(reference)}; /threads shows the list.`)
  const info = await readThread(server.client, id)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  session.enter(info.value.id)
  session.beginsThread = false
  screen.line(`Opened "${displayTitle(info.value.title)}".`, 'dim')
  const latest = await fetchLatestMessages(server, id)
  if (!latest.ok) return screen.fault(explainFailure(latest.error, server.url))
  showMessages(session, latest.value)
  return info.value.status === 'busy' ? followRun(session, id) : undefined
}

/** The user's last message and everything after it. */
async function fetchLatestMessages(
  { client }: Server,
  id: string,
): Promise<Result<readonly Message[], ClientFailure>> {
  const messages = await readAllPages((cursor) => listMessages(client, id, { cursor, limit: PAGE_SIZE_MAX }))
  if (!messages.ok) return messages
  const start = messages.value.findLastIndex((message) => message.role === 'user' && textOf(message) !== '')
  return ok(messages.value.slice(Math.max(0, start)))
}

function showMessages({ terminal: { screen } }: ChatSession, latest: readonly Message[]): void {
  for (const message of latest) {
    const text = textOf(message)
    if (text === '') continue
    screen.gap()
    const line = harmlessLine(text)
    if (message.role === 'user')
      screen.line(
        `> ${line.length > LAST_MESSAGE_MAX_CHARS ? `${line.slice(0, LAST_MESSAGE_MAX_CHARS)}…` : line}`,
        'dim',
      )
    else screen.say('text', text)
    screen.close()
  }
}

function textOf({ content }: Message): string {
  return content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')
}

/** Follows the thread's current run from its first event. Returns false if the user left. */
async function followRun(session: ChatSession, id: string): Promise<false | void> {
  const { server, terminal } = session
  const runs = await listReceipts(server.client, id, { limit: 1 })
  const run = runs.ok ? runs.value.data[0] : undefined
  if (!run || run.ended_at !== null) return
  terminal.screen.line('This thread has a run in progress:', 'dim')
  const turn = await followTurn(server, terminal, (listener) =>
    server.client.follow(id, run.run_id, null, listener),
  )
  session.options = turn.options
  if (turn.isLeft) return false
}
