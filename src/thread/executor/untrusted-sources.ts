// Lists the sources of untrusted content in a result: those that the tool reports and, if the tool reads the
// thread's files, those that the files may contain. Does not judge what that means.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { isToolUse } from '../../agent/message.ts'
import type { ToolResult, ToolRow } from '../../agent/tool.ts'
import { uploadSource, type FileRow } from '../../files/access.ts'
import { groupOf } from '../../tools/sources.ts'
import type { Subject } from '../approvals/subject.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Whether the results of this tool may contain the thread's files. */
export function readsFiles(row: ToolRow): boolean {
  return groupOf(row) === 'files'
}

/** `uploads` are the files that the model did not know about and that the call could read. */
export function untrustedSourcesOf(
  thread: Parts<'approvals' | 'sources' | 'transcript'>,
  { call, row, tool }: Subject,
  result: ToolResult,
  uploads: readonly FileRow[],
): readonly string[] {
  const { untrusted = [] } = result
  if (!readsFiles(row)) return untrusted
  const reported = [...untrusted, ...uploads.map(uploadSource)]
  // A file may contain text from any source of the thread, copied or summarized. Only remembered approvals
  // depend on this.
  if (thread.approvals.isEmpty || (tool.ownText && !result.isError) || containsOnlySkillText(call, result))
    return reported
  return wasReturnedBefore(thread, call, result) ? reported : [...reported, ...thread.sources.all]
}

/** Whether the result contains only text of skills, as reported by a tool that only reads. */
function containsOnlySkillText({ effect }: JournalCall, { notes = [] }: ToolResult): boolean {
  return (
    effect === 'read' &&
    notes.length > 0 &&
    notes.every(({ type }) => type === 'skill' || type === 'resource')
  )
}

/** Whether the same call already returned the same text earlier. */
function wasReturnedBefore(
  { transcript }: Parts<'transcript'>,
  call: JournalCall,
  result: ToolResult,
): boolean {
  const { content, frame } = result
  if (typeof content !== 'string') return false
  const text = `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
  const input = canonicalJson(call.input)
  const messages = transcript.forModel()
  return messages.some((message, index) =>
    message.content.some(
      (block) =>
        isToolUse(block) &&
        block.name === call.name &&
        canonicalJson(block.input ?? {}) === input &&
        messages[index + 1]?.content.some(
          (resultBlock) => resultBlock['tool_use_id'] === block.id && resultBlock['content'] === text,
        ),
    ),
  )
}
