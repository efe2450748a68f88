// Records a person's answer to an approval request: once, and only if the call has not changed since the
// request.

import { mayActAs, type Caller } from '../lib/caller.ts'
import { rfc3339 } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { toolFor } from '../tools/sources.ts'
import type { ApprovalAnswer, ApprovalDecided } from './approvals/api.ts'
import { checkpoint } from './rows/checkpoint.ts'
import { rowOfCall } from './executor/deferred-tools.ts'
import { Execution } from './executor/execution.ts'
import type { ThreadParts } from './parts.ts'
import { reportToWorkspace } from './report/workspace-report.ts'
import type { Approval, ApprovalRequest } from './rows/approval.ts'
import { AUTOMATIC_DECISION } from './rows/approvals.ts'
import { currentCall, currentCalls } from './rows/current-calls.ts'
import { ownerOf } from './rows/thread-row.ts'
import { resumeWhenSlotFree, reportAndSetAlarm } from './start/scheduler.ts'
import { stricterRule } from '../agent/approval.ts'
import { bindingOf, previewOf } from './approvals/binding.ts'
import { approvalRequest, requestApproval } from './approvals/gate.ts'
import { pendingWait } from './waits/details.ts'
import { markResumable, retryCall } from './waits/suspend.ts'

/** The caller must be allowed to see the thread. The answer is on disk when this returns. */
export async function answerApproval(
  thread: ThreadParts,
  caller: Caller,
  runId: string,
  toolUseId: string,
  answer: ApprovalAnswer,
): Promise<Result<ApprovalDecided>> {
  const checkedRequest = openRequest(thread, caller, runId, toolUseId, answer)
  if (!checkedRequest.ok || checkedRequest.value.decision !== null)
    return checkedRequest.ok ? toDecision(checkedRequest.value) : checkedRequest
  const rebuilt =
    answer.decision === 'approve' ? await rebuildRequest(thread, runId, checkedRequest.value) : null
  // State may have changed during that wait, so the request is looked up again.
  const recheckedRequest = openRequest(thread, caller, runId, toolUseId, answer)
  if (!recheckedRequest.ok || recheckedRequest.value.decision !== null)
    return recheckedRequest.ok ? toDecision(recheckedRequest.value) : recheckedRequest
  const request = recheckedRequest.value
  if (request.id !== checkedRequest.value.id) return CALL_CHANGED
  if (rebuilt && request.digest !== rebuilt.digest) {
    replaceRequest(thread, request, rebuilt)
    await thread.log.sync()
    thread.ctx.waitUntil(reportAndSetAlarm(thread))
    return CALL_CHANGED
  }
  const { isResumable, decided } = thread.atomically(() => {
    recordDecision(thread, request, answer, ownerOf(caller))
    return {
      isResumable: markResumable(thread, runId),
      decided: thread.approvals.find(runId, toolUseId, request.digest) ?? request,
    }
  })
  const resuming = isResumable ? resumeWhenSlotFree(thread, runId) : null
  await thread.log.sync()
  await checkpoint('approval.decided', thread.ctx)
  await resuming
  // Does not wait for the end of the run, so that the thread list shows the new state while it continues.
  thread.ctx.waitUntil(reportToWorkspace(thread))
  return toDecision(decided)
}

const NO_REQUEST = fail('not_found', 'This run has no approval request with this id.')
const CALL_CHANGED = fail(
  'tool_changed',
  'What this call would do has changed since the approval was requested. Review the new request and answer it with its digest.',
)

/** Finds the request that the answer is for. Also returns a request that was already decided in the same way. */
function openRequest(
  thread: ThreadParts,
  caller: Caller,
  runId: string,
  toolUseId: string,
  { decision, digest }: ApprovalAnswer,
): Result<Approval> {
  if (thread.closing) return NO_REQUEST
  const newest = thread.approvals.find(runId, toolUseId, null)
  if (!newest) return NO_REQUEST
  if (newest.byAdmin && !mayActAs(caller, 'admin'))
    return fail('approval_forbidden', `Only an admin of the workspace may decide on calls to ${newest.name}.`)
  const request = thread.approvals.find(runId, toolUseId, digest)
  // The request was replaced, or never existed.
  if (!request || request.decision === 'changed') return CALL_CHANGED
  if (request.decision === decision) return ok(request)
  if (request.decision !== null)
    return fail('approval_closed', `${WHY_CLOSED[request.decision]} This answer has no effect.`)
  if (request.expiresAt <= thread.ports.now())
    return fail('approval_closed', `${WHY_CLOSED.expired} This answer has no effect.`)
  return ok(request)
}

const WHY_CLOSED = {
  approve: 'This call was approved.',
  deny: 'This call was denied.',
  expired: 'The request expired, and the call was denied.',
  cancelled: 'The run of this call has ended.',
  changed: 'What this call would do has changed.',
} as const

function toDecision(approval: Approval): Result<ApprovalDecided> {
  if (approval.decision !== 'approve' && approval.decision !== 'deny') return NO_REQUEST
  const { toolUseId, decision, decidedBy, decidedAt, note, remember } = approval
  return ok({ tool_use_id: toolUseId, decision, by: decidedBy, at: rfc3339(decidedAt), note, remember })
}

/**
 * Returns whether the requesting step has results from other tools that the model has not read yet. The model
 * reads them when the run resumes, so a remembered approval records their sources as untrusted.
 */
function hasUnreadResults(thread: ThreadParts, { runId, name }: Approval): boolean {
  const calls = currentCalls(thread, runId)
  return (
    thread.sources.all.length > 0 && calls.some((call) => call.state === 'finished' && call.name !== name)
  )
}

function recordDecision(
  thread: ThreadParts,
  request: Approval,
  { decision, note, remember }: ApprovalAnswer,
  by: string,
): void {
  const { approvals, log, sources, ports } = thread
  approvals.decide(request.id, {
    decision,
    decidedBy: by,
    decidedAt: ports.now(),
    note,
    remember,
    untrusted: remember === null || hasUnreadResults(thread, request) ? null : sources.all,
  })
  retryCall(thread, request)
  log.append(request.runId, { type: 'approval.decided', tool_use_id: request.toolUseId, decision, by })
}

/**
 * Builds the request for the call as it would be made now. Returns null if the request cannot be built, or if
 * the call would not be made. This is safe, because the call is checked again right before it is made.
 */
async function rebuildRequest(
  thread: ThreadParts,
  runId: string,
  request: Approval,
): Promise<ApprovalRequest | null> {
  try {
    const run = thread.runs.get(runId)
    const call = run && currentCall(thread, request)
    const row = call && rowOfCall(thread, call)
    if (!run || !row) return null
    const { input } = call
    const execution = new Execution(thread, runId, run.epoch, new AbortController().signal)
    const lookup = await toolFor(row, (await execution.pinned(run)).tools)
    if (!lookup.ok) return null
    const tool = lookup.value
    const preview = previewOf(tool, input)
    if (!preview.ok) return null
    const rule = tool.approval ? stricterRule(row.approval, tool.approval) : row.approval
    const binding = await bindingOf(request, row, tool, input, preview.value, rule)
    return approvalRequest(
      { ...request, input },
      binding,
      preview.value,
      request.reason,
      rule,
      thread.ports.now(),
    )
  } catch {
    return null
  }
}

/** Replaces an outdated request with a new one. */
function replaceRequest(thread: ThreadParts, request: Approval, rebuilt: ApprovalRequest): void {
  const { approvals, runs, log, ports } = thread
  thread.atomically(() => {
    approvals.decide(request.id, { ...AUTOMATIC_DECISION, decision: 'changed', decidedAt: ports.now() })
    requestApproval(thread, rebuilt)
    const wait = pendingWait(thread, request.runId)
    if (runs.get(request.runId)?.status !== 'waiting' || !wait) return
    runs.suspend(request.runId, ports.now(), wait.dueAt)
    log.append(request.runId, { type: 'run.waiting', ...wait.details })
  })
}
