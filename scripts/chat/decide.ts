// `--approve` and `--deny`: decide on a waiting call, then follow the remainder of its run.

import { complain } from '../lib/command.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { cardLines } from './card.ts'
import { followTurn, type ChatTerminal } from './turn.ts'

import type { ClientFailure } from '../../src/client/types.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import type { ApprovalChoice, ApprovalInfo } from '../../src/thread/approvals/api.ts'

/** The list of pending approvals may lag behind, so it is read several times. */
const LIST_ATTEMPTS_MAX = 6
const LIST_INTERVAL_MS = 400

/**
 * Decides on the call and follows its run. `digest` identifies the request that the user reviewed; if the
 * pending request differs, it is shown and left undecided.
 */
export async function decideCall(
  server: Server,
  threadId: string,
  toolUseId: string,
  choice: ApprovalChoice,
  digest: string | null,
  terminal: ChatTerminal,
): Promise<number> {
  const lookup = await findPendingCall(server, threadId, toolUseId)
  if (!lookup.ok) return reportFailure(explainFailure(lookup.error, server.url))
  if (lookup.value === null)
    return reportFailure(
      `No call ${harmlessLine(toolUseId)} in this thread is waiting for you. It was already decided, has expired, or is for somebody else to decide.`,
    )
  const pendingCall = lookup.value
  for (const line of cardLines(pendingCall, terminal.screen.columns)) terminal.screen.verbatim(line)
  if (digest !== null && digest !== pendingCall.digest)
    return reportFailure(
      `This is not the request that you reviewed, so nothing was decided. To decide on this one, pass --digest ${harmlessLine(pendingCall.digest)}`,
    )
  const answer = { ...choice, digest: pendingCall.digest }
  const decided = await server.client.decideCall(threadId, pendingCall.run_id, toolUseId, answer)
  if (!decided.ok) return reportFailure(explainFailure(decided.error, server.url))
  const { status } = await followTurn(
    server,
    terminal,
    (listener) => server.client.follow(threadId, pendingCall.run_id, null, listener),
    (event) => event.type === 'approval.decided' && event.tool_use_id === toolUseId,
  )
  if (status === 0) terminal.screen.line('The run has ended.', 'dim')
  return status
}

/** The waiting call, or null if it is not in the list even after several attempts. */
async function findPendingCall(
  { client }: Server,
  threadId: string,
  toolUseId: string,
): Promise<Result<ApprovalInfo | null, ClientFailure>> {
  for (let attempt = 1; ; attempt++) {
    const list = await client.listApprovals()
    if (!list.ok) return list
    const call = list.value.find(
      ({ thread_id, tool_use_id }) => thread_id === threadId && tool_use_id === toolUseId,
    )
    if (call || attempt === LIST_ATTEMPTS_MAX) return ok(call ?? null)
    await client.wait(LIST_INTERVAL_MS)
  }
}

function reportFailure(message: string): 1 {
  complain(message)
  return 1
}
