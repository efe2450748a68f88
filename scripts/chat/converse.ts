// One message from the command line and its answer, with the run's questions to the user. Ends when no question is
// left or nobody can answer.

import { randomToken } from '../../src/lib/ids.ts'
import { again } from './hints.ts'
import { askBack } from './question.ts'
import { followed, type Manner } from './turn.ts'

import type { Server } from '../lib/server.ts'

/** Status 0: answered. 1: not answered, or waiting for approval. */
export async function converse(
  server: Server,
  thread: string | undefined,
  first: string,
  manner: Manner,
): Promise<number> {
  for (let message: string | null = first; ;) {
    const request = thread === undefined ? { message } : { message, thread_id: thread }
    const turn = await followed(server, manner, (listener) =>
      server.client.chat(request, randomToken(32), listener),
    )
    thread = turn.threadId ?? thread
    message = turn.options && manner.ask ? await askBack(manner.ask, turn.options) : null
    if (message !== null) continue
    if (turn.threadId !== null && !turn.isWaiting)
      manner.screen.verbatim(`go on: ${again(server, turn.threadId)} "…"`, 'dim')
    return turn.status
  }
}
