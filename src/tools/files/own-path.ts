// Resolves paths of the thread's own files for the writing tools.

import type { FileAccess, FileRow } from '../../files/access.ts'
import { DATA_FOLDERS, DATA_ROOT, filePath, fullPath, DATA_FOLDERS_HINT } from '../../files/path.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { quoted } from '../../skills/format/finding.ts'
import { noFile } from './missing.ts'

const READ_ONLY = `Files under /mnt/skills are read-only. Write to ${DATA_ROOT}/workspace, or to ${DATA_ROOT}/outputs for the user.`

function isFolder(name: string | undefined): boolean {
  return DATA_FOLDERS.some((folder) => folder === name)
}

/**
 * A file's path relative to /mnt/user-data, in canonical form. Accepts absolute paths, with or without the leading
 * slash, and paths from one of the thread's folders (`outputs/a.md`). Failure: a text for the model.
 */
export function ownPath(written: string): Result<string, string> {
  const names = written.split('/').filter((name) => name !== '' && name !== '.')
  const [first, second] = names
  if (first === 'mnt' && second === 'skills') return err(READ_ONLY)
  const end = written.endsWith('/') ? '/' : ''
  if (first === 'mnt' && second === 'user-data') return filePath(names.slice(2).join('/') + end)
  const below = first === 'user-data' ? names.slice(1) : names
  const inside = isFolder(below[0]) ? filePath(below.join('/') + end) : null
  if (inside && !written.startsWith('/')) return inside
  const meant = inside?.ok ? fullPath(inside.value) : null
  return err(
    `${quoted(written)} is not the full path of a file of this thread. ${DATA_FOLDERS_HINT}${meant === null ? '' : ` Did you mean ${meant}?`}`,
  )
}

/** The file at this path. Failure: a text for the model, if it is missing or a folder. */
export function ownFile(written: string, files: FileAccess): Result<FileRow, string> {
  const path = ownPath(written)
  if (!path.ok) return path
  const row = files.get(path.value)
  if (row) return ok(row)
  if (files.list().some((other) => other.path.startsWith(`${path.value}/`)))
    return err(`${fullPath(path.value)} is a folder. Name a file in it; ls shows what is there.`)
  return err(noFile(path.value, files))
}
