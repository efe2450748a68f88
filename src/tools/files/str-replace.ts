// str_replace: replaces a piece of a text file, which must occur exactly once, or everywhere on request.

import * as z from 'zod'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { utf8 } from '../../lib/bytes.ts'
import { indexesOfText } from '../../lib/find-text.ts'
import { EDIT_COPIES, EDIT_MATCHES_MAX, EDIT_MATCHES_SHOWN, FILE_EDIT_MAX_BYTES } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { almost } from './almost.ts'
import { ownFile } from './own-path.ts'
import { countOf } from './listing.ts'
import { halfCharacter, lineCount, textToChange } from './own-text.ts'

const Input = z.strictObject({
  path: z.string().min(1).describe('Full path of a text file under /mnt/user-data.'),
  old: z
    .string()
    .describe('The text to replace, exactly as the file has it, with white space and line ends.'),
  new: z.string().describe('The new text; empty removes the old one.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('Replace every occurrence; otherwise it must occur exactly once.'),
})

export const STR_REPLACE = builtin({
  name: 'str_replace',
  aliases: ['edit', 'multiedit'],
  group: 'files',
  label: { icon: 'pencil', now: 'Changing', past: 'Changed', failed: 'Could not change', many: 'places' },
  description:
    'Replaces a piece of a text file that you have read. The piece must occur exactly once: include enough of the text around it.',
  input: Input,
  effect: 'idempotent',
  ownText: true,
  run: ({ files }, wanted, call) => replace(files, wanted, call),
})

async function replace(
  files: FileAccess,
  wanted: z.infer<typeof Input>,
  call: ToolCall,
): Promise<ToolResult> {
  const wrong = faultOf(wanted)
  if (wrong !== null) return errorResult(wrong)
  const row = ownFile(wanted.path, files)
  if (!row.ok) return errorResult(row.error)
  // As bytes and as text, before and after.
  const held = Math.min(row.value.bytes, FILE_EDIT_MAX_BYTES) * EDIT_COPIES
  return whileReading(call, held, errorResult(BUSY_READING), () => replaceIn(row.value, files, wanted))
}

async function replaceIn(
  row: FileRow,
  files: FileAccess,
  wanted: z.infer<typeof Input>,
): Promise<ToolResult> {
  const full = fullPath(row.path)
  const read = await textToChange(row, files)
  if (!read.ok) return errorResult(read.error)
  const text = read.value
  const [before, after] = withLineEnds(text, wanted.old, wanted.new)
  const matches = indexesOfText(text, before, EDIT_MATCHES_MAX + 1)
  const [first] = matches
  if (first === undefined) return errorResult(`Not written: old is not in ${full}. ${almost(text, before)}`)
  if (matches.length > EDIT_MATCHES_MAX)
    return errorResult(
      `Not written: old is in ${full} more than ${EDIT_MATCHES_MAX} times. Include more of the text around it.`,
    )
  if (matches.length > 1 && !wanted.replace_all)
    return errorResult(
      `Not written: old is in ${full} ${matches.length} times, at ${linesOf(text, matches)}. Include the text around the one that you mean, or set replace_all.`,
    )
  // Checked before the text is built: a short file could become gigabytes.
  if (text.length + matches.length * (after.length - before.length) > FILE_EDIT_MAX_BYTES)
    return errorResult(`Not written: ${full} would have more than ${FILE_EDIT_MAX_BYTES} bytes. Write less.`)
  const made = put(text, matches, before.length, after)
  const bytes = utf8(made)
  const change = await files.write(row.path, bytes)
  if (!change.ok) return errorResult(change.error)
  const now = `${countOf(bytes.length, 'byte')}, ${countOf(lineCount(made), 'line')} now`
  const content = `Replaced ${countOf(matches.length, 'place')} in ${full}, at ${linesOf(text, matches)}: ${now}.`
  return { content, isError: false, changes: [change.value] }
}

function faultOf({ old, new: other }: z.infer<typeof Input>): string | null {
  if (old === '')
    return 'Not written: old is empty, so new has no position. Write a whole file with write_file, or add to its end with append.'
  if (old === other) return 'Not written: old and new are the same.'
  return halfCharacter('old', old) ?? halfCharacter('new', other)
}

/** If all lines of a file end in CRLF, the replacement uses CRLF, too. */
function withLineEnds(text: string, ...edit: readonly [string, string]): readonly [string, string] {
  const all = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)
  if (!all || edit.some((one) => one.includes('\r'))) return edit
  const [before, after] = edit
  return [before.replaceAll('\n', '\r\n'), after.replaceAll('\n', '\r\n')]
}

function linesOf(text: string, matches: readonly number[]): string {
  const numbers: number[] = []
  let line = 1
  let from = 0
  for (const at of matches.slice(0, EDIT_MATCHES_SHOWN)) {
    for (let end = text.indexOf('\n', from); end !== -1 && end < at; end = text.indexOf('\n', from)) {
      line += 1
      from = end + 1
    }
    if (numbers.at(-1) !== line) numbers.push(line)
  }
  const more = matches.length > EDIT_MATCHES_SHOWN ? ' and more' : ''
  return `${numbers.length === 1 && more === '' ? 'line' : 'lines'} ${numbers.join(', ')}${more}`
}

function put(text: string, matches: readonly number[], length: number, part: string): string {
  const parts: string[] = []
  let from = 0
  for (const at of matches) {
    parts.push(text.slice(from, at), part)
    from = at + length
  }
  return [...parts, text.slice(from)].join('')
}
