// The command /plan.

import { readThread } from '../../src/client/threads.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { todoLines } from './plan-lines.ts'

import type { ChatSession } from './session.ts'

/** `/plan`: shows the plan of the thread, or enables a plan for the next new thread. */
export async function planCommand(session: ChatSession): Promise<void> {
  const { server, threadId, beginsThread, terminal } = session
  const { screen } = terminal
  if (beginsThread || threadId === undefined) {
    session.keepsPlan = !session.keepsPlan
    const text = session.keepsPlan ? 'keeps a plan' : 'keeps no plan'
    return screen.line(`Your next message starts a thread that ${text}.`, 'dim')
  }
  const info = await readThread(server.client, threadId)
  if (!info.ok) return screen.fault(explainFailure(info.error, server.url))
  const { plan } = info.value
  if (plan === null)
    return screen.line('This thread keeps no plan. Type /new and /plan to start one that does.')
  if (plan.length === 0) return screen.line('The agent has not written a plan yet.')
  for (const line of todoLines(plan, null)) screen.line(harmlessLine(line))
}
