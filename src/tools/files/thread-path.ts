// Resolves paths for the tools that work only on the thread's files, not on skills.

import type { FileAccess, FileRow } from '../../files/access.ts'
import { DATA_FOLDERS, DATA_ROOT, filePath, fullPath, DATA_FOLDERS_HINT } from '../../files/path.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { quoted } from '../../skills/format/finding.ts'
import { missingFileMessage } from './missing-path.ts'

const SKILLS_READ_ONLY_MESSAGE = `Files under /mnt/skills are read-only. Write to ${DATA_ROOT}/workspace, or to ${DATA_ROOT}/outputs for files that the user should get.`

function isFolder(name: string | undefined): boolean {
  return DATA_FOLDERS.some((folder) => folder === name)
}

/**
 * Returns the canonical path relative to /mnt/user-data. Accepts absolute paths, with or without the leading slash, and
 * paths that begin with one of the thread's folders (`outputs/a.md`). The error is a message for the model.
 */
export function resolveThreadPath(writtenPath: string): Result<string, string> {
  const names = writtenPath.split('/').filter((name) => name !== '' && name !== '.')
  const [first, second] = names
  if (first === 'mnt' && second === 'skills') return err(SKILLS_READ_ONLY_MESSAGE)
  const trailingSlash = writtenPath.endsWith('/') ? '/' : ''
  if (first === 'mnt' && second === 'user-data') return filePath(names.slice(2).join('/') + trailingSlash)
  const relativeNames = first === 'user-data' ? names.slice(1) : names
  const dataPath = isFolder(relativeNames[0]) ? filePath(relativeNames.join('/') + trailingSlash) : null
  if (dataPath && !writtenPath.startsWith('/')) return dataPath
  const suggestion = dataPath?.ok ? fullPath(dataPath.value) : null
  return err(
    `${quoted(writtenPath)} is not the full path of a file of this thread. ${DATA_FOLDERS_HINT}${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
  )
}

/** The file at this path. The error is a message for the model. */
export function findThreadFile(writtenPath: string, files: FileAccess): Result<FileRow, string> {
  const path = resolveThreadPath(writtenPath)
  if (!path.ok) return path
  const row = files.get(path.value)
  if (row) return ok(row)
  if (files.list().some((file) => file.path.startsWith(`${path.value}/`)))
    return err(`${fullPath(path.value)} is a folder. Give the path of a file in it; ls lists its files.`)
  return err(missingFileMessage(path.value, files))
}
