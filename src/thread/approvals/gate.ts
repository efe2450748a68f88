// Before a call is made: the policies' word, and a person's where they ask for one. What nobody has anything against
// passes at once, without waiting and without a row.

import { markedJson, shownRequest } from '../../agent/shown.ts'
import { stricter, type ApprovalRule, type Preview } from '../../agent/approval.ts'
import { judge, POLICIES } from '../../agent/policies/judge.ts'
import { isAllowedCall, whyNotAllowed } from '../../agent/policies/allowed-calls.ts'
import type { CallFacts, Policy, Verdict } from '../../agent/policy.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { cutText } from '../../lib/text.ts'
import { URL_QUOTE_MAX_CHARS } from '../../limits/net.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../limits/runs.ts'
import { APPROVAL_INPUT_CHARS, APPROVAL_MS } from './limits.ts'
import { askGuardrail } from './guardrail.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { Approval, ApprovalRequest, Binding } from '../rows/approval.ts'
import { bindingOf, previewOf } from './binding.ts'
import { factsOf, type ToolSettings } from './facts.ts'
import type { Subject } from './subject.ts'

export type GateThread = Parts<
  'ctx' | 'row' | 'log' | 'journal' | 'approvals' | 'sources' | 'transcript' | 'atomically',
  'now' | 'net' | 'whyUnreachable' | 'privateHosts'
>

/** `go`: it is made now. `refuse`: never, and the words say why. `stay`: not now; it waits, or the execution is over. */
export type Gate =
  | { readonly do: 'go' }
  | { readonly do: 'refuse'; readonly words: string }
  | { readonly do: 'stay' }

const GO: Gate = { do: 'go' }
const STAY: Gate = { do: 'stay' }
const UNKNOWN =
  'Not run: what this workspace allows cannot be read just now. Try once more, or go on without it.'

function refuse(words: string): Gate {
  return { do: 'refuse', words }
}

/** `settings` null: they cannot be read, so nothing leaves that they might forbid. */
export function gate(
  thread: GateThread,
  execution: Execution,
  subject: Subject,
  settings: ToolSettings | null,
): Gate | Promise<Gate> {
  const { call, row, tool } = subject
  const preview = previewOf(tool, call.input)
  if (!preview.ok) return refuse(preview.error)
  const rule = tool.approval ? stricter(row.approval, tool.approval) : row.approval
  if (settings === null && preview.value) return refuse(UNKNOWN)
  const facts = factsOf(thread, subject, preview.value, rule, settings)
  const verdict = judge(facts, policiesFor(thread, execution, subject, settings))
  if (!(verdict instanceof Promise)) {
    if (verdict.do === 'deny') return refuse(verdict.words)
    if (verdict.do === 'allow' && thread.approvals.none) return GO
  }
  return decided(thread, execution, subject, facts, verdict)
}

/** The guardrail of the workspace comes last: it is not asked about what another policy denies, and again when a yes came. */
function policiesFor(
  { row, out }: GateThread,
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
        out.net(workspace),
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

async function decided(
  thread: GateThread,
  execution: Execution,
  { run, call, row, tool }: Subject,
  facts: CallFacts,
  given: Verdict | Promise<Verdict>,
): Promise<Gate> {
  const { approval, preview, attended } = facts
  const verdict = await given
  // That may have been a wait.
  if (!execution.goesOn()) return STAY
  const answer = thread.approvals.newest(call)
  if (verdict.do === 'deny') return refuse(verdict.words)
  // Whatever the policies say by now: what a person refused is not made.
  const refused = answer && refusalOf(answer)
  if (refused) return refuse(refused)
  if (verdict.do === 'allow') return GO
  // Nobody is asked about a request that would be refused all the same.
  const closed = preview && (await thread.out.whyUnreachable(thread.row.data.workspace, preview.url))
  if (!execution.goesOn()) return STAY
  if (closed) return refuse(`Not run: ${cutText(preview.url, URL_QUOTE_MAX_CHARS)} ${closed}.`)
  if (!attended && isAllowedCall(facts)) return GO
  if (!attended)
    return refuse(
      `Not run: this call needs a person's approval, and nobody is there to be asked in this run. ${verdict.reason}${whyNotAllowed(facts)} Go on without it, and say in your answer what was left undone.`,
    )
  const binding = await bindingOf(call, row, tool, call.input, preview, approval)
  if (!execution.goesOn()) return STAY
  // What was approved is what would be done.
  if (answer?.decision === 'approve' && answer.coveredBy === null && answer.digest === binding.digest)
    return GO
  const { host = null, reason } = verdict
  const asked = approvalRequest({ ...call, host }, binding, preview, reason, approval, thread.out.now())
  const yes = thread.approvals.covering(run.id, row.name, binding.same, thread.sources.all)
  if (yes) {
    // It is for the very same call, and for nothing else on its host.
    const covered = { ...asked, input: null, request: null, host: null }
    thread.atomically(() => thread.approvals.cover(covered, yes))
    return GO
  }
  // A host is asked for once.
  const told = host === null ? null : toldOf(thread, run.id, host)
  if (told !== null) return refuse(told)
  thread.atomically(() => {
    thread.journal.wait(call)
    requestApproval(thread, asked)
  })
  await thread.log.sync()
  await checkpoint('approval.requested', thread.ctx)
  return STAY
}

/** What a person said of the links of this host, in this run; null: nobody was asked about them. */
function toldOf({ approvals }: GateThread, runId: string, host: string): string | null {
  switch (approvals.ofHost(runId, host)?.decision) {
    case null:
      return `Not run: a person is asked about links on ${host} just now. Fetch this one again once they have allowed it.`
    case 'deny':
    case 'expired':
      return `Not run: nobody allowed more links on ${host} in this run. Go on without them.`
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
  at: number,
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
    input: markedJson(input),
    request: preview && shownRequest(preview),
    free: rule.free ?? [],
    byAdmin: rule.by === 'admin',
    requestedAt: at,
    expiresAt: at + APPROVAL_MS,
  }
}

/** In one block with the state of its call. */
export function requestApproval(
  { approvals, log }: Pick<GateThread, 'approvals' | 'log'>,
  asked: ApprovalRequest,
): void {
  const { runId, toolUseId, name, input, reason, free, expiresAt } = asked
  const chars = (JSON.stringify(input) ?? '').length
  approvals.ask(chars > APPROVAL_INPUT_CHARS ? { ...asked, input: null } : asked)
  log.append(runId, {
    type: 'approval.requested',
    tool_use_id: toolUseId,
    name,
    // Marks make it longer; what came with the message is there as it was.
    input: chars > MESSAGE_ROW_MAX_CHARS ? null : input,
    request: asked.request,
    digest: asked.digest,
    reason,
    free,
    expires_at: rfc3339(expiresAt),
  })
}

/** The words that reach the model; null: it was not refused. */
function refusalOf(answer: Approval): string | null {
  if (answer.decision === 'expired')
    return `Not run: nobody answered the request for approval within ${APPROVAL_MS / 86_400_000} days. Go on without it, and say what was left undone.`
  if (answer.decision !== 'deny') return null
  const note = answer.note === null ? '' : ` They say: ${answer.note}`
  return `Not run: a person refused this call. Do not try the same in another way.${note}`
}
