// Errors for missing paths of the thread's files.

import type { FileAccess } from '../../files/access.ts'
import { parentFolders, fullPath } from '../../files/path.ts'
import { nearFiles } from './near.ts'

export function noFile(path: string, files: FileAccess): string {
  return (
    nothing('file', path, files) ?? `There is no file ${fullPath(path)}.${nearFiles(path, files) || LIST}`
  )
}

export function noFolder(path: string, files: FileAccess): string {
  return (
    nothing('folder', path, files) ?? `There is no folder ${fullPath(path)}.${nearFiles(path, files) || LIST}`
  )
}

const LIST = ' See what there is with ls.'

/** A path that passes through a file, or exists in another letter case. */
function nothing(what: 'file' | 'folder', path: string, files: FileAccess): string | null {
  for (const part of [...parentFolders(path), path]) {
    const twin = files.twin(part)
    if (twin !== null)
      return `There is no ${what} ${fullPath(path)}. ${fullPath(twin)} differs in letter case only: use that.`
    if (part !== path && files.get(part)) return `${fullPath(part)} is a file, so there is nothing below it.`
  }
  return null
}
