// The sources of untrusted content in a result: as the tool reports them, and for a tool that reads the thread's files,
// the sources that those may contain. Never judges what that means.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { isToolUse } from '../../agent/message.ts'
import type { ToolResult, ToolRow } from '../../agent/tool.ts'
import { uploadSource, type FileRow } from '../../files/access.ts'
import { groupOf } from '../../tools/sources.ts'
import type { Subject } from '../approvals/subject.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Its results may contain the thread's files. */
export function readsFiles(row: ToolRow): boolean {
  return groupOf(row) === 'files'
}

/** `uploads`: those that the model did not know of and that the call could read. */
export function sourcesIn(
  thread: Parts<'approvals' | 'sources' | 'transcript'>,
  { call, row, tool }: Subject,
  result: ToolResult,
  uploads: readonly FileRow[],
): readonly string[] {
  const { untrusted = [] } = result
  if (!readsFiles(row)) return untrusted
  const came = [...untrusted, ...uploads.map(uploadSource)]
  // A file may contain text from any source of the thread, copied or summed up. Only remembered approvals depend on it.
  if (thread.approvals.none || (tool.ownText && !result.isError) || isOfSkills(call, result)) return came
  return isKnown(thread, call, result) ? came : [...came, ...thread.sources.all]
}

/** Only text of skills, as a tool that only reads reports it. */
function isOfSkills({ effect }: JournalCall, { notes = [] }: ToolResult): boolean {
  return (
    effect === 'read' &&
    notes.length > 0 &&
    notes.every(({ type }) => type === 'skill' || type === 'resource')
  )
}

/** The same call already returned the same text. */
function isKnown({ transcript }: Parts<'transcript'>, call: JournalCall, result: ToolResult): boolean {
  const { content, frame } = result
  if (typeof content !== 'string') return false
  const text = `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
  const input = canonicalJson(call.input)
  const messages = transcript.forModel()
  return messages.some((message, at) =>
    message.content.some(
      (block) =>
        isToolUse(block) &&
        block.name === call.name &&
        canonicalJson(block.input ?? {}) === input &&
        messages[at + 1]?.content.some(
          (answer) => answer['tool_use_id'] === block.id && answer['content'] === text,
        ),
    ),
  )
}
