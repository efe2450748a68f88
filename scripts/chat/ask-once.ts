// Sends one message from the command line, shows the answer, and relays the run's questions to the user. Ends
// when the run asks nothing more or nobody can answer.

import { randomToken } from '../../src/lib/ids.ts'
import { continueCommand } from './hints.ts'
import { readAnswer } from './question.ts'
import { requestFor } from './request.ts'
import { followTurn, type ChatTerminal } from './turn.ts'

import type { Server } from '../lib/server.ts'

/** Returns the exit status: 0 if answered, 1 if not answered or waiting for approval. */
export async function askOnce(
  server: Server,
  thread: string | undefined,
  firstMessage: string,
  keepsPlan: boolean,
  terminal: ChatTerminal,
): Promise<number> {
  for (let message: string | null = firstMessage; ;) {
    const request = requestFor(message, thread, keepsPlan && message === firstMessage)
    const turn = await followTurn(server, terminal, (listener) =>
      server.client.chat(request, randomToken(32), listener),
    )
    thread = turn.threadId ?? thread
    message = turn.options && terminal.ask ? await readAnswer(terminal.ask, turn.options) : null
    if (message !== null) continue
    if (turn.threadId !== null && !turn.isWaiting)
      terminal.screen.verbatim(`continue: ${continueCommand(server, turn.threadId)} "…"`, 'dim')
    return turn.status
  }
}
