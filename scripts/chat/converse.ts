// One message of the command line and its answer, with what the person is asked after it. Ends when nothing is asked any
// more, or nobody is there to be asked.

import { randomToken } from '../../src/lib/ids.ts'
import { again } from './hints.ts'
import { askBack } from './question.ts'
import { followed, type Manner } from './turn.ts'

import type { Server } from '../lib/server.ts'

/** Status 0: answered. 1: not, or a person is waited for. */
export async function converse(
  server: Server,
  thread: string | undefined,
  first: string,
  manner: Manner,
): Promise<number> {
  for (let message: string | null = first; ;) {
    const request = thread === undefined ? { message } : { message, thread_id: thread }
    const told = await followed(server, manner, (listener) =>
      server.client.chat(request, randomToken(32), listener),
    )
    thread = told.threadId ?? thread
    message = told.options && manner.ask ? await askBack(manner.ask, told.options) : null
    if (message !== null) continue
    if (told.threadId !== null && !told.isWaiting)
      manner.screen.verbatim(`go on: ${again(server, told.threadId)} "…"`, 'dim')
    return told.status
  }
}
