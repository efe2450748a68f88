// Where the text from outside in a result comes from: what the tool says, and of a tool that reads the thread's files the
// sources of what those may be made of. Never judges what that means.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { isToolUse } from '../../agent/message.ts'
import type { ToolResult, ToolRow } from '../../agent/tool.ts'
import { uploadSource, type FileRow } from '../../files/access.ts'
import { groupOf } from '../../tools/sources.ts'
import type { Subject } from '../approvals/subject.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Its results may be made of the thread's files. */
export function readsFiles(row: ToolRow): boolean {
  return groupOf(row) === 'files'
}

/** `uploads`: those that the model had not heard of and that the call could have read. */
export function sourcesIn(
  thread: Parts<'approvals' | 'sources' | 'transcript'>,
  { call, row, tool }: Subject,
  result: ToolResult,
  uploads: readonly FileRow[],
): readonly string[] {
  const { untrusted = [] } = result
  if (!readsFiles(row)) return untrusted
  const came = [...untrusted, ...uploads.map(uploadSource)]
  // A file may hold text from any source of the thread, copied or summed up. That matters to a remembered yes alone.
  if (thread.approvals.none || (tool.ownText && !result.isError) || isOfSkills(call, result)) return came
  return isKnown(thread, call, result) ? came : [...came, ...thread.sources.all]
}

/** Text of skills alone, as a tool that only reads notes it. */
function isOfSkills({ effect }: JournalCall, { notes = [] }: ToolResult): boolean {
  return (
    effect === 'read' &&
    notes.length > 0 &&
    notes.every(({ type }) => type === 'skill' || type === 'resource')
  )
}

/** The very same call was answered with the very same text before. */
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
