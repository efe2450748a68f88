// The loop of a conversation in the terminal: reads messages, commands and skill calls until the user leaves.
// Other files implement each of these.

import { randomToken } from '../../src/lib/ids.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { CHAT_COMMANDS } from './commands.ts'
import { continueCommand } from './hints.ts'
import { fetchCallableSkills } from './lists.ts'
import { openInChat } from './open.ts'
import { chosenOption } from './question.ts'
import { ChatSession } from './session.ts'
import { requestFor } from './request.ts'
import { followTurn } from './turn.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'

import type { InputHistory } from './history.ts'
import type { Keyboard } from './keyboard.ts'
import type { ChatTerminal } from './turn.ts'

/** What a conversation needs to read from the user. */
export interface ChatInput {
  readonly terminal: ChatTerminal
  readonly keyboard: Keyboard
  readonly history: InputHistory
  /** Whether new threads keep a plan, and whether the first message begins one. */
  readonly keepsPlan: boolean
  readonly beginsThread: boolean
}

/** Matches `/name` before its arguments, but not a path, nor a `/` after a space. */
const COMMAND = /^\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\s+|$)/

/** Returns the exit status: 0 if the user left, 1 if the server cannot be used. */
export async function runConversation(
  server: Server,
  thread: string | undefined,
  { terminal, keyboard, history, keepsPlan, beginsThread }: ChatInput,
): Promise<number> {
  const { screen } = terminal
  const skills = await fetchCallableSkills(server)
  if (!skills.ok) {
    screen.fault(explainFailure(skills.error, server.url))
    return 1
  }
  const session = new ChatSession(server, terminal, thread, keepsPlan)
  const commandNames = [...CHAT_COMMANDS.map(({ name }) => name), ...skills.value.map(({ name }) => name)]
  const skillCount = skills.value.length.toLocaleString('en-US')
  screen.line(`${skillCount} skills at ${harmlessLine(server.url)}. /help lists the commands.`, 'dim')
  if (thread !== undefined && (await openInChat(session, thread)) === false) return 0
  session.beginsThread = beginsThread
  for (;;) {
    screen.gap()
    const input = await keyboard.readMessage({
      prompt: paint('bold', session.options === null ? '> ' : 'your answer> '),
      history: history.newestFirst(),
      complete: (line) => completeCommand(line, commandNames),
    })
    if (input === null) break
    if (input.trim() === '') continue
    history.add(input)
    if (!(await handleInput(session, input))) break
  }
  if (session.threadId !== undefined) {
    const line = `continue: ${continueCommand(server, session.threadId)}`
    // In a narrow window, the short command stays in one row and can be copied.
    screen.verbatim(line.length > screen.columns ? `continue: ${continueCommand(server, null)}` : line, 'dim')
  }
  return 0
}

/** Runs a command or sends a message. Returns false to end the conversation. */
async function handleInput(session: ChatSession, input: string): Promise<boolean> {
  const [prefix, name] = COMMAND.exec(input) ?? []
  const command = CHAT_COMMANDS.find((candidate) => candidate.name === name)
  if (command) return (await command.run(session, input.slice(prefix?.length).trim())) !== false
  const { server, terminal } = session
  const message = session.options ? chosenOption(input.trim(), session.options) : input
  const keepsPlan = session.keepsPlan && session.beginsThread
  const request = requestFor(message, session.threadId, keepsPlan, session.nextModel)
  const turn = await followTurn(server, terminal, (listener) =>
    server.client.chat(request, randomToken(32), listener),
  )
  if (turn.threadId !== null) {
    session.enter(turn.threadId)
    session.beginsThread = false
    session.nextModel = null
    session.options = turn.options
  }
  return !turn.isLeft
}

/** Completions for a line that starts with `/`. */
function completeCommand(line: string, names: readonly string[]): readonly string[] {
  return /^\/[a-z0-9-]*$/.test(line)
    ? names.filter((name) => `/${name}`.startsWith(line)).map((name) => `/${name} `)
    : []
}
