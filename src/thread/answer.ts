// A person's answer to a request: taken once, and only for what would be done right now.

import { mayActAs, type Caller } from '../lib/caller.ts'
import { rfc3339 } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { toolFor } from '../tools/sources.ts'
import type { ApprovalAnswer, ApprovalDecided } from './api.ts'
import { checkpoint } from './rows/checkpoint.ts'
import { Execution } from './executor/execution.ts'
import type { ThreadParts } from './parts.ts'
import { reportToWorkspace } from './report/workspace-report.ts'
import type { Approval, ApprovalRequest } from './rows/approval.ts'
import { BY_ITSELF } from './rows/approvals.ts'
import type { Run } from './rows/run.ts'
import { ownerOf } from './rows/thread-row.ts'
import { goOnInTurn, settle } from './start/scheduler.ts'
import { stricter } from '../agent/approval.ts'
import { bindingOf, previewOf } from './approvals/binding.ts'
import { approvalRequest, requestApproval } from './approvals/gate.ts'
import { mayGoOn, waitingFor } from './rows/waits.ts'

/** The caller may see the thread. On disk when it answers. */
export async function answerApproval(
  thread: ThreadParts,
  caller: Caller,
  runId: string,
  toolUseId: string,
  answer: ApprovalAnswer,
): Promise<Result<ApprovalDecided>> {
  const open = openRequest(thread, caller, runId, toolUseId, answer)
  if (!open.ok || open.value.decision !== null) return open.ok ? decidedOf(open.value) : open
  const now = answer.decision === 'approve' ? await asItIsNow(thread, runId, open.value) : null
  // That was a wait: it is looked at again.
  const still = openRequest(thread, caller, runId, toolUseId, answer)
  if (!still.ok || still.value.decision !== null) return still.ok ? decidedOf(still.value) : still
  const asked = still.value
  if (asked.id !== open.value.id) return CHANGED
  if (now && asked.digest !== now.digest) {
    askAgain(thread, asked, now)
    await thread.log.sync()
    thread.ctx.waitUntil(settle(thread))
    return CHANGED
  }
  const { goes, decided } = thread.atomically(() => {
    take(thread, asked, answer, ownerOf(caller))
    return {
      goes: mayGoOn(thread, runId),
      decided: thread.approvals.named(runId, toolUseId, asked.digest) ?? asked,
    }
  })
  const going = goes ? goOnInTurn(thread, runId) : null
  await thread.log.sync()
  await checkpoint('approval.decided', thread.ctx)
  await going
  // The list hears of it before the run is over.
  thread.ctx.waitUntil(reportToWorkspace(thread))
  return decidedOf(decided)
}

const NONE = fail('not_found', 'There is no request for approval under this id in this run.')
const CHANGED = fail(
  'tool_changed',
  'What this call would do has changed since it was asked for. Look at the new request, and answer that, naming its digest.',
)

/** The request that the answer is for; one that was decided the same way, too. */
function openRequest(
  thread: ThreadParts,
  caller: Caller,
  runId: string,
  toolUseId: string,
  { decision, digest }: ApprovalAnswer,
): Result<Approval> {
  if (thread.closing) return NONE
  const newest = thread.approvals.named(runId, toolUseId, null)
  if (!newest) return NONE
  if (newest.byAdmin && !mayActAs(caller, 'admin'))
    return fail(
      'approval_forbidden',
      `Only an admin of the workspace may decide about calls of ${newest.name}.`,
    )
  const asked = thread.approvals.named(runId, toolUseId, digest)
  // It was given for a request that another one replaced, or for none that there ever was.
  if (!asked || asked.decision === 'changed') return CHANGED
  if (asked.decision === decision) return ok(asked)
  if (asked.decision !== null)
    return fail('approval_closed', `${HOW[asked.decision]} This answer changes nothing.`)
  if (asked.expiresAt <= thread.out.now())
    return fail('approval_closed', `${HOW.expired} This answer changes nothing.`)
  return ok(asked)
}

const HOW = {
  approve: 'This call was approved.',
  deny: 'This call was refused.',
  expired: 'The time for an answer is over, and the call was refused.',
  cancelled: 'The run that asked for this has ended.',
  changed: 'What this call would do has changed.',
} as const

function decidedOf(approval: Approval): Result<ApprovalDecided> {
  if (approval.decision !== 'approve' && approval.decision !== 'deny') return NONE
  const { toolUseId, decision, decidedBy, decidedAt, note, remember } = approval
  return ok({ tool_use_id: toolUseId, decision, by: decidedBy, at: rfc3339(decidedAt), note, remember })
}

/**
 * Results of the step that asks, from other tools: the model reads them once the run goes on, so a remembered yes cannot
 * count on them.
 */
function unreadResults({ transcript, journal, sources }: ThreadParts, asked: Approval): boolean {
  const asking = transcript.last(asked.runId)
  const calls = asking ? journal.calls(asked.runId, asking) : []
  return (
    sources.all.length > 0 && calls.some(({ state, name }) => state === 'finished' && name !== asked.name)
  )
}

function take(
  thread: ThreadParts,
  asked: Approval,
  { decision, note, remember }: ApprovalAnswer,
  by: string,
): void {
  const { approvals, journal, log, sources, out } = thread
  approvals.decide(asked.id, {
    decision,
    decidedBy: by,
    decidedAt: out.now(),
    note,
    remember,
    untrusted: remember === null || unreadResults(thread, asked) ? null : sources.all,
  })
  journal.callOff(asked)
  log.append(asked.runId, { type: 'approval.decided', tool_use_id: asked.toolUseId, decision, by })
}

/**
 * What the call would do now, as it would be asked for. Null: that is not to be known, or it would not be done at all; it
 * is looked at again right before the call is made, so nothing is done that nobody approved.
 */
async function asItIsNow(
  thread: ThreadParts,
  runId: string,
  asked: Approval,
): Promise<ApprovalRequest | null> {
  try {
    const run = thread.runs.get(runId)
    const row = thread.row.data.tools.find(({ name }) => name === asked.name)
    const input = run && inputOf(thread, run, asked)
    if (!run || !row || input === undefined) return null
    const execution = new Execution(thread, runId, run.epoch, new AbortController().signal)
    const found = await toolFor(row, (await execution.pinned(run)).tools)
    if (!found.ok) return null
    const tool = found.value
    const preview = previewOf(tool, input)
    if (!preview.ok) return null
    const rule = tool.approval ? stricter(row.approval, tool.approval) : row.approval
    const binding = await bindingOf(asked, row, tool, input, preview.value, rule)
    return approvalRequest({ ...asked, input }, binding, preview.value, asked.reason, rule, thread.out.now())
  } catch {
    return null
  }
}

function inputOf({ transcript, journal }: ThreadParts, run: Run, asked: Approval): unknown {
  const asking = transcript.last(run.id)
  const calls = asking ? journal.calls(run.id, asking) : []
  return calls.find(({ message, ord }) => message === asked.message && ord === asked.ord)?.input
}

/** A new request in place of one that nobody may answer any more. */
function askAgain(thread: ThreadParts, asked: Approval, now: ApprovalRequest): void {
  const { approvals, runs, log, out } = thread
  thread.atomically(() => {
    approvals.decide(asked.id, { ...BY_ITSELF, decision: 'changed', decidedAt: out.now() })
    requestApproval(thread, now)
    const found = waitingFor(thread, asked.runId)
    if (runs.get(asked.runId)?.status !== 'waiting' || !found) return
    runs.wait(asked.runId, out.now(), found.at)
    log.append(asked.runId, { type: 'run.waiting', ...found.told })
  })
}
