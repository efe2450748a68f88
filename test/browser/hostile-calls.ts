// Calls with hostile text in every part of an opened step.

import type { EventBody } from '../../src/agent/events.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import { approvalInfo } from './walk-data.ts'
import { RECEIPT, toolDone, toolStarted } from '../unit/page/frames.ts'

const requestOf = (text: string) =>
  ({ kind: 'tool', method: text, url: text, headers: { [text]: text }, body: text, notes: [text] }) as const

/** A call as the inbox lists it. */
export function waitingCall(text: string, at: number): ApprovalInfo {
  return approvalInfo('a', {
    thread_id: `th_${at}`,
    tool_use_id: `c_${at}`,
    name: text,
    input: { [text]: text },
    request: requestOf(text),
    reason: text,
    free: [text],
    requested_at: text,
    expires_at: text,
  })
}

/** A call for each form in which an opened step is shown: terminal, file, web page, skill, and an approved HTTP call. */
export function callsOf(text: string, at: number): readonly EventBody[] {
  const request = requestOf(text)
  const call = { tool_use_id: `h${at}`, name: 'http' }
  return [
    toolStarted(`b${at}`, 'bash', { command: text }),
    toolDone(`b${at}`, 'bash', `${text}\n[${text} Exit code 1.]`, true),
    toolStarted(`f${at}`, 'write_file', { path: `/${text}.md`, content: text }),
    toolDone(`f${at}`, 'write_file', text),
    toolStarted(`w${at}`, 'web_fetch', { url: text }),
    toolDone(`w${at}`, 'web_fetch', `<page>\n${text}\n</page>`),
    toolStarted(`l${at}`, 'load_skill', { name: text }),
    toolDone(`l${at}`, 'load_skill', text),
    toolStarted(call.tool_use_id, call.name, { text }),
    {
      type: 'approval.requested',
      ...call,
      input: { text },
      request,
      free: [],
      reason: text,
      digest: 'd',
      expires_at: RECEIPT.accepted_at,
    },
    { type: 'approval.decided', tool_use_id: call.tool_use_id, decision: 'approve', by: text },
    toolDone(call.tool_use_id, call.name, `HTTP 200\n\n${JSON.stringify({ [text]: [text, { text }] })}`),
  ]
}
