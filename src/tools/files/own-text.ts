// A file of the thread as text that a tool edits: read whole, and only if the model knows its content.

import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { unreadMessage } from '../../files/unread.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FILE_EDIT_MAX_BYTES } from './limits.ts'

/** Failure: a text for the model, if the file was not read before, is too large, or is not text. */
export async function textToChange(row: FileRow, files: FileAccess): Promise<Result<string, string>> {
  const full = fullPath(row.path)
  if (row.bytes > FILE_EDIT_MAX_BYTES)
    return err(
      `Not written: ${full} has ${row.bytes} bytes; files up to ${FILE_EDIT_MAX_BYTES} can be changed. Write the new part to another file.`,
    )
  if (!row.known) return err(unreadMessage(row.path))
  const bytes = await files.read(row)
  if (!bytes.ok) return err(`Not written: ${bytes.error}`)
  const text = fromUtf8(bytes.value)
  return text === null || text.includes('\0')
    ? err(`Not written: ${full} is not a text file (${row.type}), so it cannot be changed here.`)
    : ok(text)
}

/** Why this text cannot be written to a file; null if it can. `field`: of the call's input. */
export function halfCharacter(field: string, text: string): string | null {
  if (text.isWellFormed()) return null
  const at = Array.from(text).findIndex((point) => !point.isWellFormed())
  return `Not written: ${field} contains half a character (a lone surrogate) at character ${at + 1}. Send it again without it.`
}

/** Lines as an editor counts them. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
