// A file of the thread as text that is to be changed: read whole, and only where the model knows what is in it.

import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { unread } from '../../files/unread.ts'
import { fromUtf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { FILE_EDIT_MAX_BYTES } from './limits.ts'

/** Fails in words: not read before, too large, or no text. */
export async function textToChange(row: FileRow, files: FileAccess): Promise<Result<string, string>> {
  const full = fullPath(row.path)
  if (row.bytes > FILE_EDIT_MAX_BYTES)
    return err(
      `Not written: ${full} has ${row.bytes} bytes; files up to ${FILE_EDIT_MAX_BYTES} can be changed. Write what is new to another file.`,
    )
  if (!row.known) return err(unread(row.path))
  const bytes = await files.read(row)
  if (!bytes.ok) return err(`Not written: ${bytes.error}`)
  const text = fromUtf8(bytes.value)
  return text === null || text.includes('\0')
    ? err(`Not written: ${full} is not a text file (${row.type}), so it cannot be changed here.`)
    : ok(text)
}

/** Why this cannot become part of a file; null: it can. `field`: of the call's input. */
export function halfCharacter(field: string, text: string): string | null {
  if (text.isWellFormed()) return null
  const at = Array.from(text).findIndex((point) => !point.isWellFormed())
  return `Not written: ${field} holds half a character (a lone surrogate), as character ${at + 1}. Send it again without.`
}

/** Lines as an editor counts them. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
