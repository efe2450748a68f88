// Going on with a thread: which one, what was said last, and what of it still goes on.

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

/** Of what the person said last. */
const SAID_CHARS = 400

/** `/open N` or `/open ID`; what goes on in it is followed to its end. */
export async function openInChat(session: ChatSession, words: string): Promise<false | void> {
  const { server, manner } = session
  const { screen } = manner
  if (words === '') return screen.line('Which thread? /open N, as /threads lists them, or /open ID.')
  const id = /^\d{1,3}\.?$/.test(words) ? session.listed[Number.parseInt(words, 10) - 1] : words
  if (id === undefined)
    return screen.line(`There is no number ${harmlessLine(words)} in the list: /threads shows one.`)
  const info = await thread(server.client, id)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  session.enter(info.value.id)
  screen.line(`This is "${titled(info.value.title)}" now.`, 'dim')
  const said = await lastMessages(server, id)
  if (!said.ok) return screen.fault(explainFailure(said.error, server.url))
  show(session, said.value)
  return info.value.status === 'busy' ? goOn(session, id) : undefined
}

/** The messages from the person's last one on. */
async function lastMessages(
  { client }: Server,
  id: string,
): Promise<Result<readonly Message[], ClientFailure>> {
  const all = await everyPage((cursor) => messages(client, id, { cursor, limit: PAGE_MAX }))
  if (!all.ok) return all
  const from = all.value.findLastIndex((message) => message.role === 'user' && textOf(message) !== '')
  return ok(all.value.slice(Math.max(0, from)))
}

function show({ manner: { screen } }: ChatSession, said: readonly Message[]): void {
  for (const message of said) {
    const text = textOf(message)
    if (text === '') continue
    screen.gap()
    const line = harmlessLine(text)
    if (message.role === 'user')
      screen.line(`> ${line.length > SAID_CHARS ? `${line.slice(0, SAID_CHARS)}…` : line}`, 'dim')
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

/** A run that goes on, or waits for a person, is followed from its start; what it asks is asked here. */
async function goOn(session: ChatSession, id: string): Promise<false | void> {
  const { server, manner } = session
  const runs = await receipts(server.client, id, { limit: 1 })
  const run = runs.ok ? runs.value.data[0] : undefined
  if (!run || run.ended_at !== null) return
  manner.screen.line('It is at work:', 'dim')
  const told = await followed(server, manner, (listener) =>
    server.client.follow(id, run.run_id, null, listener),
  )
  session.options = told.options
  if (told.isLeft) return false
}
