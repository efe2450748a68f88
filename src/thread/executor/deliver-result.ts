// What every result of a tool passes before it is written: secrets are masked, its sources are named, and a long text goes to
// a file.

import { frequencyRemark } from '../../agent/policies/frequency.ts'
import type { ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import type { Subject } from '../approvals/subject.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { finishCall, type FinishingThread } from './finish-call.ts'
import type { RunSecrets } from './run-secrets.ts'
import { spillLongResult } from './spill.ts'
import { untrustedSourcesOf } from './untrusted-sources.ts'

export interface Delivery {
  /** Tells whether the caller may still end the call. */
  readonly mayWrite: () => boolean
  readonly secrets: Pick<RunSecrets, 'maskResult'>
  /** How often a run may call one tool before the result says so. */
  readonly callsPerTool: number
  /** Uploads that the call could read. */
  readonly newUploads?: readonly FileRow[]
  /** Satchel's own text at the end of the result. */
  readonly remark?: string
}

/** Ends a call with the result of its tool. */
export async function deliverResult(
  thread: FinishingThread,
  subject: Subject,
  rawResult: ToolResult,
  { mayWrite, secrets, callsPerTool, newUploads = [], remark = '' }: Delivery,
): Promise<void> {
  const { run, call, tool } = subject
  const masked = await secrets.maskResult(rawResult)
  await checkpoint('tool.ran', thread.ctx)
  const result = { ...masked, untrusted: untrustedSourcesOf(thread, subject, masked, newUploads) }
  const remarks = frequencyRemark(call.name, thread.journal.countToolCalls(call), callsPerTool) + remark
  const answer = tool.limitsResults ? { result, fallback: null } : await spillLongResult(thread, call, result)
  await finishCall(thread, mayWrite, run, call, answer, true, remarks)
}
