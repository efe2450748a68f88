// Error messages for paths that do not exist among the thread's files.

import type { FileAccess } from '../../files/access.ts'
import { parentFolders, fullPath } from '../../files/path.ts'
import { suggestFiles } from './similar-files.ts'

export function missingFileMessage(path: string, files: FileAccess): string {
  return (
    explainMissingPath('file', path, files) ??
    `There is no file ${fullPath(path)}.${suggestFiles(path, files) || LS_HINT}`
  )
}

export function missingFolderMessage(path: string, files: FileAccess): string {
  return (
    explainMissingPath('folder', path, files) ??
    `There is no folder ${fullPath(path)}.${suggestFiles(path, files) || LS_HINT}`
  )
}

const LS_HINT = ' List the folder with ls.'

/** The message for a path that exists in different letter case or leads through a file; null for any other path. */
function explainMissingPath(type: 'file' | 'folder', path: string, files: FileAccess): string | null {
  for (const ancestor of [...parentFolders(path), path]) {
    const pathVariant = files.pathVariant(ancestor)
    if (pathVariant !== null)
      return `There is no ${type} ${fullPath(path)}. ${fullPath(pathVariant)} differs only in letter case; use that path.`
    if (ancestor !== path && files.get(ancestor)) return `${fullPath(ancestor)} is a file, not a folder.`
  }
  return null
}
