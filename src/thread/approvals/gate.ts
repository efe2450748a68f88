// Decides whether a call may be made: first by the policies, then by asking a person if a policy requires that. If no
// policy objects, the call is allowed immediately, without a wait or a row.

import { markInvisibleInJson, displayRequest } from '../../agent/display-request.ts'
import { stricterRule, type ApprovalRule, type Preview } from '../../agent/approval.ts'
import { judgeCall, POLICIES } from '../../agent/policies/judge.ts'
import { isAllowedCall, whyNotAllowed } from '../../agent/policies/hook-allowed-calls.ts'
import type { CallFacts, Policy, Verdict } from '../../agent/policy.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { cutText } from '../../lib/text.ts'
import { URL_QUOTE_MAX_CHARS } from '../../limits/net.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../limits/runs.ts'
import { APPROVAL_INPUT_MAX_CHARS, APPROVAL_EXPIRY_MS } from './limits.ts'
import { askGuardrail } from './guardrail.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { Approval, ApprovalRequest, Binding } from '../rows/approval.ts'
import { bindingOf, previewOf } from './binding.ts'
import { factsOf, type ToolSettings } from './call-facts.ts'
import type { Subject } from './subject.ts'

export type GateThread = Parts<
  'ctx' | 'row' | 'log' | 'journal' | 'approvals' | 'waits' | 'sources' | 'transcript' | 'atomically',
  'now' | 'net' | 'whyUnreachable' | 'privateHosts'
>

/**
 * `go`: make the call now. `refuse`: do not make it; `message` says why. `stay`: do nothing now, because the
 * call waits or the execution has ended.
 */
export type Gate =
  | { readonly do: 'go' }
  | { readonly do: 'refuse'; readonly message: string }
  | { readonly do: 'stay' }

const GO: Gate = { do: 'go' }
const STAY: Gate = { do: 'stay' }
const SETTINGS_UNREADABLE =
  'Not run: the settings of this workspace cannot be read right now. Try again, or continue without this call.'

function refuse(text: string): Gate {
  return { do: 'refuse', message: text }
}

/** `settings` is null if they cannot be read; then nothing is sent, because they might forbid it. */
export function gate(
  thread: GateThread,
  execution: Execution,
  subject: Subject,
  settings: ToolSettings | null,
): Gate | Promise<Gate> {
  const { call, row, tool } = subject
  const preview = previewOf(tool, call.input)
  if (!preview.ok) return refuse(preview.error)
  const rule = tool.approval ? stricterRule(row.approval, tool.approval) : row.approval
  if (settings === null && preview.value) return refuse(SETTINGS_UNREADABLE)
  const facts = factsOf(thread, subject, preview.value, rule, settings)
  const verdict = judgeCall(facts, policiesFor(thread, execution, subject, settings))
  if (!(verdict instanceof Promise)) {
    if (verdict.do === 'deny') return refuse(verdict.message)
    if (verdict.do === 'allow' && thread.approvals.isEmpty) return GO
  }
  return decide(thread, execution, subject, facts, verdict)
}

/**
 * The workspace's guardrail is the last policy: it gets only calls that no other policy denies, and it is asked again
 * after an approval.
 */
function policiesFor(
  { row, ports }: GateThread,
  { signal }: Execution,
  { run, call }: Subject,
  settings: ToolSettings | null,
): readonly Policy[] {
  const url = settings?.guardrail_url ?? null
  if (!settings || url === null) return POLICIES
  const { workspace, id, user } = row.data
  return [
    ...POLICIES,
    ({ name, input, effect, untrusted }) =>
      askGuardrail(
        ports.net(workspace),
        url,
        settings.guardrail_failure,
        {
          tool: name,
          input,
          effect,
          untrusted,
          workspace,
          thread_id: id,
          run_id: run.id,
          tool_use_id: call.toolUseId,
          user,
        },
        signal,
      ),
  ]
}

async function decide(
  thread: GateThread,
  execution: Execution,
  { run, call, row, tool }: Subject,
  facts: CallFacts,
  policyVerdict: Verdict | Promise<Verdict>,
): Promise<Gate> {
  const { approval, preview, canAskPerson: attended } = facts
  const verdict = await policyVerdict
  // State may have changed during that wait.
  if (!execution.mayContinue()) return STAY
  const answer = thread.approvals.newest(call)
  if (verdict.do === 'deny') return refuse(verdict.message)
  // A person's denial still holds, even if the policies now allow the call.
  const refusalText = answer && refusalOf(answer)
  if (refusalText) return refuse(refusalText)
  if (verdict.do === 'allow') return GO
  // No approval is requested for a call whose address would be refused anyway.
  const whyUnreachable =
    preview && (await thread.ports.whyUnreachable(thread.row.data.workspace, preview.url))
  if (!execution.mayContinue()) return STAY
  if (whyUnreachable)
    return refuse(`Not run: ${cutText(preview.url, URL_QUOTE_MAX_CHARS)} ${whyUnreachable}.`)
  if (isAllowedCall(facts)) return GO
  if (!attended)
    return refuse(
      `Not run: this call needs a person's approval, and nobody is available to give it in this run. ${verdict.reason}${whyNotAllowed(facts)} Continue without it, and say in your answer what you could not do.`,
    )
  const binding = await bindingOf(call, row, tool, call.input, preview, approval)
  if (!execution.mayContinue()) return STAY
  // The approval applies if the request that was approved is the one that would be sent.
  if (answer?.decision === 'approve' && answer.coveredBy === null && answer.digest === binding.digest)
    return GO
  const { host = null, reason } = verdict
  const request = approvalRequest({ ...call, host }, binding, preview, reason, approval, thread.ports.now())
  const remembered = thread.approvals.findCovering(run.id, row.name, binding.same, thread.sources.all)
  if (remembered) {
    // The row covers only this call, not other links on its host.
    const covered = { ...request, input: null, request: null, host: null }
    thread.atomically(() => thread.approvals.insertCovered(covered, remembered))
    return GO
  }
  // A person is asked about a host only once per run.
  const decision = host === null ? null : hostDecision(thread, run.id, host)
  if (decision !== null) return refuse(decision)
  thread.atomically(() => {
    thread.journal.markWaiting(call)
    requestApproval(thread, request)
  })
  await thread.log.sync()
  await checkpoint('approval.requested', thread.ctx)
  return STAY
}

/**
 * The person's decision about links on this host in this run, as a text for the model; null if there is none.
 */
function hostDecision({ approvals }: GateThread, runId: string, host: string): string | null {
  switch (approvals.newestForHost(runId, host)?.decision) {
    case null:
      return `Not run: a person is being asked about links on ${host}. Fetch this link again once they have allowed it.`
    case 'deny':
    case 'expired':
      return `Not run: nobody allowed more links on ${host} in this run. Continue without them.`
    case 'approve':
    case 'cancelled':
    case 'changed':
    case undefined:
      return null
  }
}

export function approvalRequest(
  call: Pick<ApprovalRequest, 'runId' | 'message' | 'ord' | 'toolUseId' | 'name' | 'input' | 'host'>,
  binding: Binding,
  preview: Preview | null,
  reason: string,
  rule: ApprovalRule,
  requestedAt: number,
): ApprovalRequest {
  const { runId, message, ord, toolUseId, name, input, host } = call
  return {
    ...binding,
    runId,
    message,
    ord,
    toolUseId,
    name,
    reason,
    host,
    input: markInvisibleInJson(input),
    request: preview && displayRequest(preview),
    free: rule.free ?? [],
    byAdmin: rule.by === 'admin',
    requestedAt,
    expiresAt: requestedAt + APPROVAL_EXPIRY_MS,
  }
}

/** Must be called in the same block that changes the state of the call. */
export function requestApproval(
  { approvals, waits, log }: Pick<GateThread, 'approvals' | 'waits' | 'log'>,
  request: ApprovalRequest,
): void {
  const { runId, toolUseId, name, input, reason, free, requestedAt: since, expiresAt: until } = request
  const chars = (JSON.stringify(input) ?? '').length
  approvals.insertRequest(chars > APPROVAL_INPUT_MAX_CHARS ? { ...request, input: null } : request)
  waits.add(request, { reason: 'approval', since, until, dueAt: until, state: null })
  log.append(runId, {
    type: 'approval.requested',
    tool_use_id: toolUseId,
    name,
    // Marks make the input longer. If it is now too long for a row, it can still be read in the message.
    input: chars > MESSAGE_ROW_MAX_CHARS ? null : input,
    request: request.request,
    digest: request.digest,
    reason,
    free,
    expires_at: rfc3339(until),
  })
}

/** The refusal as a text for the model, or null if the call was not denied. */
function refusalOf(answer: Approval): string | null {
  if (answer.decision === 'expired')
    return `Not run: nobody answered the approval request within ${APPROVAL_EXPIRY_MS / 86_400_000} days. Continue without it, and say what you could not do.`
  if (answer.decision !== 'deny') return null
  const note = answer.note === null ? '' : ` They say: ${answer.note}`
  return `Not run: a person denied this call. Do not try to do the same thing in another way.${note}`
}
