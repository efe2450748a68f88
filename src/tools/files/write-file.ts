// write_file: creates a file of the thread, replaces a file that the model knows, or appends text to it.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { utf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { resolveThreadPath } from './thread-path.ts'
import { countOf } from './listing.ts'
import { loneSurrogateMessage, lineCount, readEditableText } from './editable-text.ts'

const Input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe(
      'Full path under /mnt/user-data: outputs/ for files that the user should get, workspace/ for your own work.',
    ),
  content: z.string().describe('The complete text of the file or, with append, the text to add.'),
  append: z.boolean().optional().describe('Add the text to the end of the file instead of replacing it.'),
})

export const WRITE_FILE = builtin({
  name: 'write_file',
  aliases: ['write'],
  group: 'files',
  label: { icon: 'pencil', now: 'Writing', past: 'Wrote', failed: 'Could not write', many: 'files' },
  description:
    'Writes a text file and creates missing folders. Read an existing file before you replace it. ' +
    'Write a long file in parts with append.',
  input: Input,
  effect: 'idempotent',
  ownText: true,
  run: ({ files }, input) => write(files, input),
})

async function write(
  files: FileAccess,
  { path: writtenPath, content, append = false }: z.infer<typeof Input>,
) {
  const path = resolveThreadPath(writtenPath)
  if (!path.ok) return errorResult(path.error)
  const surrogateError = loneSurrogateMessage('content', content)
  if (surrogateError !== null) return errorResult(surrogateError)
  const before = files.get(path.value)
  const text = await newContent(files, path.value, content, append)
  if (!text.ok) return errorResult(text.error)
  const bytes = utf8(text.value)
  const change = await files.write(path.value, bytes)
  if (!change.ok) return errorResult(change.error)
  const full = fullPath(path.value)
  const newSize = `${countOf(bytes.length, 'byte')}, ${countOf(lineCount(text.value), 'line')}`
  if (before && before.sha256 === change.value.body?.sha256)
    return successResult(`${full} already has exactly this content: ${newSize}.`)
  const summary = !before
    ? `Wrote ${full}: ${newSize}.`
    : append
      ? `Added ${countOf(bytes.length - before.bytes, 'byte')} to ${full}: ${newSize} now.`
      : `Replaced ${full}: ${newSize}; it had ${countOf(before.bytes, 'byte')}.`
  return { ...successResult(summary), changes: [change.value] }
}

function successResult(content: string): ToolResult {
  return { content, isError: false }
}

/** The complete new content of the file. The error is a message for the model. */
async function newContent(
  files: FileAccess,
  path: string,
  content: string,
  append: boolean,
): Promise<Result<string, string>> {
  const row = append ? files.get(path) : undefined
  if (!row) return ok(content)
  const text = await readEditableText(row, files)
  return text.ok ? ok(text.value + content) : err(text.error)
}
