// `--approve` and `--deny`: answers a waiting call later, then follows the rest of the run.

import { complain } from '../lib/command.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { cardLines } from './card.ts'
import { followed, type Manner } from './turn.ts'

import type { ClientFailure } from '../../src/client/types.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import type { ApprovalChoice, ApprovalInfo } from '../../src/thread/approvals/api.ts'

/** The list of pending approvals may be a moment behind. */
const TRIES = 6
const WAIT_MS = 400

/** `digest`: of the request that the user reviewed; another one is shown and not answered. Then follows the run. */
export async function decideCall(
  server: Server,
  threadId: string,
  toolUseId: string,
  choice: ApprovalChoice,
  digest: string | null,
  manner: Manner,
): Promise<number> {
  const found = await waiting(server, threadId, toolUseId)
  if (!found.ok) return failed(explainFailure(found.error, server.url))
  if (found.value === null)
    return failed(
      `No call ${harmlessLine(toolUseId)} of this thread waits for you. It was answered, has expired, or is for others to decide.`,
    )
  const pending = found.value
  for (const line of cardLines(pending, manner.screen.columns)) manner.screen.verbatim(line)
  if (digest !== null && digest !== pending.digest)
    return failed(
      `This is another request than the one you looked at: nothing was answered. To answer it, name it: --digest ${harmlessLine(pending.digest)}`,
    )
  const answer = { ...choice, digest: pending.digest }
  const taken = await server.client.approve(threadId, pending.run_id, toolUseId, answer)
  if (!taken.ok) return failed(explainFailure(taken.error, server.url))
  const { status } = await followed(
    server,
    manner,
    (listener) => server.client.follow(threadId, pending.run_id, null, listener),
    (event) => event.type === 'approval.decided' && event.tool_use_id === toolUseId,
  )
  if (status === 0) manner.screen.line('The run is over.', 'dim')
  return status
}

async function waiting(
  { client }: Server,
  threadId: string,
  toolUseId: string,
): Promise<Result<ApprovalInfo | null, ClientFailure>> {
  for (let tries = 1; ; tries++) {
    const list = await client.approvals()
    if (!list.ok) return list
    const found = list.value.find((one) => one.thread_id === threadId && one.tool_use_id === toolUseId)
    if (found || tries === TRIES) return ok(found ?? null)
    await client.wait(WAIT_MS)
  }
}

function failed(why: string): 1 {
  complain(why)
  return 1
}
