// Reads a file of the thread that a tool is about to edit, and only if the model knows its content.

import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { unreadMessage } from '../../files/unread.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FILE_EDIT_MAX_BYTES } from './limits.ts'

/** The error is a message for the model: it has not read the file, or the file is too large or not text. */
export async function readEditableText(row: FileRow, files: FileAccess): Promise<Result<string, string>> {
  const full = fullPath(row.path)
  if (row.bytes > FILE_EDIT_MAX_BYTES)
    return err(
      `Not written: ${full} has ${row.bytes} bytes, and only files up to ${FILE_EDIT_MAX_BYTES} bytes can be edited. Write the new text to another file.`,
    )
  if (!row.known) return err(unreadMessage(row.path))
  const bytes = await files.read(row)
  if (!bytes.ok) return err(`Not written: ${bytes.error}`)
  const text = fromUtf8(bytes.value)
  return text === null || text.includes('\0')
    ? err(`Not written: ${full} is not a text file (${row.type}), so it cannot be edited.`)
    : ok(text)
}

/** The message for a text that UTF-8 cannot represent, or null if it can. `field` is the input that contains it. */
export function loneSurrogateMessage(field: string, text: string): string | null {
  if (text.isWellFormed()) return null
  const index = Array.from(text).findIndex((point) => !point.isWellFormed())
  return `Not written: ${field} contains half of a character (a lone surrogate) at character ${index + 1}. Remove it and call again.`
}

/** The number of lines; a line feed at the end of the text starts no new line. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count++
  return count
}
