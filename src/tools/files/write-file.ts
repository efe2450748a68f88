// write_file: writes a file of the thread: a new one, a replacement for one that the model knows, or text at its end.

import * as z from 'zod'
import type { ToolResult } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { utf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { ownPath } from './own-path.ts'
import { countOf } from './listing.ts'
import { halfCharacter, lineCount, textToChange } from './own-text.ts'

const Input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('Full path under /mnt/user-data: outputs/ for the user, workspace/ for your own work.'),
  content: z.string().describe('The text of the file, or the text to add to its end.'),
  append: z.boolean().optional().describe('Add to the end of the file instead of replacing it.'),
})

export const WRITE_FILE = builtin({
  name: 'write_file',
  aliases: ['write'],
  group: 'files',
  label: { icon: 'pencil', now: 'Writing', past: 'Wrote', failed: 'Could not write', many: 'files' },
  description:
    'Writes a text file and creates missing folders. You must have read a file before you replace it. ' +
    'Write long files in parts with append.',
  input: Input,
  effect: 'idempotent',
  ownText: true,
  run: ({ files }, wanted) => write(files, wanted),
})

async function write(
  files: FileAccess,
  { path: writtenPath, content, append = false }: z.infer<typeof Input>,
) {
  const path = ownPath(writtenPath)
  if (!path.ok) return errorResult(path.error)
  const half = halfCharacter('content', content)
  if (half !== null) return errorResult(half)
  const before = files.get(path.value)
  const text = await whole(files, path.value, content, append)
  if (!text.ok) return errorResult(text.error)
  const bytes = utf8(text.value)
  const change = await files.write(path.value, bytes)
  if (!change.ok) return errorResult(change.error)
  const full = fullPath(path.value)
  const now = `${countOf(bytes.length, 'byte')}, ${countOf(lineCount(text.value), 'line')}`
  if (before && before.sha256 === change.value.body?.sha256)
    return written(`${full} already has exactly this content: ${now}.`)
  const what = !before
    ? `Wrote ${full}: ${now}.`
    : append
      ? `Added ${countOf(bytes.length - before.bytes, 'byte')} to ${full}: ${now} now.`
      : `Replaced ${full}: ${now}; it had ${countOf(before.bytes, 'byte')}.`
  return { ...written(what), changes: [change.value] }
}

function written(content: string): ToolResult {
  return { content, isError: false }
}

/** The new content of the file. */
async function whole(
  files: FileAccess,
  path: string,
  content: string,
  append: boolean,
): Promise<Result<string, string>> {
  const row = append ? files.get(path) : undefined
  if (!row) return ok(content)
  const text = await textToChange(row, files)
  return text.ok ? ok(text.value + content) : err(text.error)
}
