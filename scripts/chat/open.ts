// Continues a thread: selects it, shows the last messages, and follows its run.

import { ok, type Result } from '../../src/lib/result.ts'
import { PAGE_MAX } from '../../src/limits/requests.ts'
import { everyPage } from '../../src/client/pages.ts'
import { messages, receipts, thread } from '../../src/client/threads.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { titled } from './lists.ts'
import { followed } from './turn.ts'

import type { Message } from '../../src/agent/message.ts'
import type { ClientFailure } from '../../src/client/types.ts'
import type { ChatSession } from './session.ts'

/** Characters of the user's last message. */
const LAST_MESSAGE_CHARS = 400

/** `/open N` or `/open ID`; follows a run in it to its end. */
export async function openInChat(session: ChatSession, reference: string): Promise<false | void> {
  const { server, manner } = session
  const { screen } = manner
  if (reference === '') return screen.line('Which thread? /open N, as /threads lists them, or /open ID.')
  const id = /^\d{1,3}\.?$/.test(reference) ? session.listed[Number.parseInt(reference, 10) - 1] : reference
  if (id === undefined)
    return screen.line(`There is no number ${harmlessLine(reference)} in the list: /threads shows one.`)
  const info = await thread(server.client, id)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  session.enter(info.value.id)
  screen.line(`This is "${titled(info.value.title)}" now.`, 'dim')
  const latest = await lastMessages(server, id)
  if (!latest.ok) return screen.fault(explainFailure(latest.error, server.url))
  show(session, latest.value)
  return info.value.status === 'busy' ? goOn(session, id) : undefined
}

/** The messages since the user's last one. */
async function lastMessages(
  { client }: Server,
  id: string,
): Promise<Result<readonly Message[], ClientFailure>> {
  const all = await everyPage((cursor) => messages(client, id, { cursor, limit: PAGE_MAX }))
  if (!all.ok) return all
  const from = all.value.findLastIndex((message) => message.role === 'user' && textOf(message) !== '')
  return ok(all.value.slice(Math.max(0, from)))
}

function show({ manner: { screen } }: ChatSession, latest: readonly Message[]): void {
  for (const message of latest) {
    const text = textOf(message)
    if (text === '') continue
    screen.gap()
    const line = harmlessLine(text)
    if (message.role === 'user')
      screen.line(
        `> ${line.length > LAST_MESSAGE_CHARS ? `${line.slice(0, LAST_MESSAGE_CHARS)}…` : line}`,
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

/** Follows a run that continues, or waits for approval, from its start; its questions are asked here. */
async function goOn(session: ChatSession, id: string): Promise<false | void> {
  const { server, manner } = session
  const runs = await receipts(server.client, id, { limit: 1 })
  const run = runs.ok ? runs.value.data[0] : undefined
  if (!run || run.ended_at !== null) return
  manner.screen.line('It is at work:', 'dim')
  const turn = await followed(server, manner, (listener) =>
    server.client.follow(id, run.run_id, null, listener),
  )
  session.options = turn.options
  if (turn.isLeft) return false
}
