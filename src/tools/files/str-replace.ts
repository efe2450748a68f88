// str_replace: replaces a text in a file. It must occur exactly once, unless the call asks to replace all occurrences.

import * as z from 'zod'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { utf8 } from '../../lib/bytes.ts'
import { indexesOfText } from '../../lib/find-text.ts'
import {
  EDIT_MEMORY_FACTOR,
  EDIT_MATCHES_MAX,
  EDIT_MATCHES_SHOWN_MAX,
  FILE_EDIT_MAX_BYTES,
} from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { mismatchHint } from './mismatch-hint.ts'
import { findThreadFile } from './thread-path.ts'
import { countOf } from './listing.ts'
import { loneSurrogateMessage, lineCount, readEditableText } from './editable-text.ts'

const Input = z.strictObject({
  path: z.string().min(1).describe('Full path of a text file under /mnt/user-data.'),
  old: z
    .string()
    .describe('The text to replace, exactly as in the file, including white space and line endings.'),
  new: z.string().describe('The replacement; an empty string deletes the old text.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('Replace every occurrence. Without this, the text must occur exactly once.'),
})

export const STR_REPLACE = builtin({
  name: 'str_replace',
  aliases: ['edit', 'multiedit'],
  group: 'files',
  label: { icon: 'pencil', now: 'Changing', past: 'Changed', failed: 'Could not change', many: 'places' },
  description:
    'Replaces text in a file that you have read. The text must occur exactly once, so include enough of what surrounds it.',
  input: Input,
  effect: 'idempotent',
  ownText: true,
  run: ({ files }, input, call) => replace(files, input, call),
})

async function replace(files: FileAccess, input: z.infer<typeof Input>, call: ToolCall): Promise<ToolResult> {
  const error = inputError(input)
  if (error !== null) return errorResult(error)
  const row = findThreadFile(input.path, files)
  if (!row.ok) return errorResult(row.error)
  // Both versions of the file are in memory as bytes and as text.
  const heldBytes = Math.min(row.value.bytes, FILE_EDIT_MAX_BYTES) * EDIT_MEMORY_FACTOR
  return whileReading(call, heldBytes, errorResult(BUSY_READING), () =>
    replaceInFile(row.value, files, input),
  )
}

async function replaceInFile(
  row: FileRow,
  files: FileAccess,
  input: z.infer<typeof Input>,
): Promise<ToolResult> {
  const full = fullPath(row.path)
  const read = await readEditableText(row, files)
  if (!read.ok) return errorResult(read.error)
  const text = read.value
  const [before, after] = withLineEnds(text, input.old, input.new)
  const matches = indexesOfText(text, before, EDIT_MATCHES_MAX + 1)
  const [first] = matches
  if (first === undefined)
    return errorResult(`Not written: old was not found in ${full}. ${mismatchHint(text, before)}`)
  if (matches.length > EDIT_MATCHES_MAX)
    return errorResult(
      `Not written: old occurs more than ${EDIT_MATCHES_MAX} times in ${full}. Include more of the surrounding text.`,
    )
  if (matches.length > 1 && !input.replace_all)
    return errorResult(
      `Not written: old occurs ${matches.length} times in ${full}, at ${lineNumbersOf(text, matches)}. Include the text around the occurrence that you mean, or set replace_all.`,
    )
  // Checked before the new text is built, because replacements can turn a short file into gigabytes.
  if (text.length + matches.length * (after.length - before.length) > FILE_EDIT_MAX_BYTES)
    return errorResult(
      `Not written: ${full} would be larger than ${FILE_EDIT_MAX_BYTES} bytes. Use a shorter replacement.`,
    )
  const newText = replaceMatches(text, matches, before.length, after)
  const bytes = utf8(newText)
  const change = await files.write(row.path, bytes)
  if (!change.ok) return errorResult(change.error)
  const newSize = `${countOf(bytes.length, 'byte')}, ${countOf(lineCount(newText), 'line')} now`
  const content = `Replaced ${countOf(matches.length, 'place')} in ${full}, at ${lineNumbersOf(text, matches)}: ${newSize}.`
  return { content, isError: false, changes: [change.value] }
}

function inputError({ old, new: replacement }: z.infer<typeof Input>): string | null {
  if (old === '')
    return 'Not written: old is empty. To write the complete file, call write_file; to add to its end, set append there.'
  if (old === replacement) return 'Not written: old and new are identical.'
  return loneSurrogateMessage('old', old) ?? loneSurrogateMessage('new', replacement)
}

/** Converts an edit of a file whose lines all end in CRLF to CRLF, unless the edit already contains a CR. */
function withLineEnds(text: string, ...edit: readonly [string, string]): readonly [string, string] {
  const usesCrlf = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)
  if (!usesCrlf || edit.some((part) => part.includes('\r'))) return edit
  const [before, after] = edit
  return [before.replaceAll('\n', '\r\n'), after.replaceAll('\n', '\r\n')]
}

function lineNumbersOf(text: string, matches: readonly number[]): string {
  const numbers: number[] = []
  let line = 1
  let from = 0
  for (const index of matches.slice(0, EDIT_MATCHES_SHOWN_MAX)) {
    for (let end = text.indexOf('\n', from); end !== -1 && end < index; end = text.indexOf('\n', from)) {
      line += 1
      from = end + 1
    }
    if (numbers.at(-1) !== line) numbers.push(line)
  }
  const more = matches.length > EDIT_MATCHES_SHOWN_MAX ? ' and more' : ''
  return `${numbers.length === 1 && more === '' ? 'line' : 'lines'} ${numbers.join(', ')}${more}`
}

function replaceMatches(
  text: string,
  matches: readonly number[],
  length: number,
  replacement: string,
): string {
  const parts: string[] = []
  let from = 0
  for (const index of matches) {
    parts.push(text.slice(from, index), replacement)
    from = index + length
  }
  return [...parts, text.slice(from)].join('')
}
