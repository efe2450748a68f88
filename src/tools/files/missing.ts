// What is said of a path of the thread's files at which nothing is.

import type { FileAccess } from '../../files/access.ts'
import { foldersOf, fullPath } from '../../files/path.ts'
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

/** Where the way there ends early, or in another letter case. */
function nothing(what: 'file' | 'folder', path: string, files: FileAccess): string | null {
  for (const part of [...foldersOf(path), path]) {
    const twin = files.twin(part)
    if (twin !== null)
      return `There is no ${what} ${fullPath(path)}. ${fullPath(twin)} differs in letter case only: use that.`
    if (part !== path && files.get(part)) return `${fullPath(part)} is a file, so nothing lies below it.`
  }
  return null
}
