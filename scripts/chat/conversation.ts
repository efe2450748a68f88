// A conversation in the terminal: messages, commands and skill calls, until the user leaves. Other files implement
// each.

import { randomToken } from '../../src/lib/ids.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { CHAT_COMMANDS } from './commands.ts'
import { again } from './hints.ts'
import { callable } from './lists.ts'
import { openInChat } from './open.ts'
import { chosenOption } from './question.ts'
import { ChatSession } from './session.ts'
import { followed } from './turn.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'

import type { InputHistory } from './history.ts'
import type { Keyboard } from './keyboard.ts'
import type { Manner } from './turn.ts'

/** The user's input, with its history. */
export interface Person {
  readonly manner: Manner
  readonly keyboard: Keyboard
  readonly history: InputHistory
}

/** `/name` and its arguments: neither a path nor a `/` after a blank. */
const COMMAND = /^\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\s+|$)/

/** Status 0: the user left. 1: no server can be reached. */
export async function conversation(
  server: Server,
  thread: string | undefined,
  { manner, keyboard, history }: Person,
): Promise<number> {
  const { screen } = manner
  const skills = await callable(server)
  if (!skills.ok) {
    screen.fault(explainFailure(skills.error, server.url))
    return 1
  }
  const session = new ChatSession(server, manner, thread)
  const names = [...CHAT_COMMANDS.map(({ name }) => name), ...skills.value.map(({ name }) => name)]
  const count = skills.value.length.toLocaleString('en-US')
  screen.line(`Satchel at ${harmlessLine(server.url)}, ${count} skills. /help lists the commands.`, 'dim')
  if (thread !== undefined && (await openInChat(session, thread)) === false) return 0
  for (;;) {
    screen.gap()
    const typed = await keyboard.message({
      prompt: paint('bold', session.options === null ? '> ' : 'your answer> '),
      history: history.newestFirst(),
      complete: (line) => completions(line, names),
    })
    if (typed === null) break
    if (typed.trim() === '') continue
    history.add(typed)
    if (!(await taken(session, typed))) break
  }
  if (session.threadId !== undefined) screen.verbatim(`go on: ${again(server, session.threadId)}`, 'dim')
  return 0
}

/** Runs a command or sends a message. False: the conversation ends. */
async function taken(session: ChatSession, typed: string): Promise<boolean> {
  const [whole, name] = COMMAND.exec(typed) ?? []
  const command = CHAT_COMMANDS.find((one) => one.name === name)
  if (command) return (await command.run(session, typed.slice(whole?.length).trim())) !== false
  const { server, manner } = session
  const message = session.options ? chosenOption(typed.trim(), session.options) : typed
  const request = session.threadId === undefined ? { message } : { message, thread_id: session.threadId }
  const turn = await followed(server, manner, (listener) =>
    server.client.chat(request, randomToken(32), listener),
  )
  if (turn.threadId !== null) {
    session.enter(turn.threadId)
    session.options = turn.options
  }
  return !turn.isLeft
}

/** Completions for a line that starts with `/`. */
function completions(line: string, names: readonly string[]): readonly string[] {
  return /^\/[a-z0-9-]*$/.test(line)
    ? names.filter((name) => `/${name}`.startsWith(line)).map((name) => `/${name} `)
    : []
}
