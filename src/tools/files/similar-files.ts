// Suggests files of the thread with similar names. The work is limited, because uploaded files can have hostile names.

import type { FileAccess } from '../../files/access.ts'
import { foldPath, fullPath } from '../../files/path.ts'
import { findCloseNames } from '../../lib/suggest.ts'
import { SUGGESTIONS_MAX } from '../../limits/skills.ts'
import { SIMILAR_NAMES_COMPARED_MAX, SIMILAR_NAME_MAX_CHARS } from './limits.ts'

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Returns ` Did you mean /mnt/user-data/…?`, or an empty string. Prefers files with the same name in another folder to
 * files with a similar name.
 */
export function suggestFiles(path: string, files: FileAccess): string {
  const searchedName = foldPath(nameOf(path))
  if (searchedName === '' || searchedName.length > SIMILAR_NAME_MAX_CHARS) return ''
  const paths = files.list().map((row) => row.path)
  const sameName = paths.filter((candidate) => foldPath(nameOf(candidate)) === searchedName)
  const candidates = sameName.length > 0 ? sameName : findSimilarPaths(searchedName, paths)
  const shown = candidates.slice(0, SUGGESTIONS_MAX).map(fullPath)
  return shown.length === 0 ? '' : ` Did you mean ${shown.join(', ')}?`
}

function findSimilarPaths(searchedName: string, paths: readonly string[]): readonly string[] {
  const compared = paths
    .filter((path) => nameOf(path).length <= 2 * SIMILAR_NAME_MAX_CHARS)
    .slice(0, SIMILAR_NAMES_COMPARED_MAX)
  return findCloseNames(searchedName, [...new Set(compared.map(nameOf))]).flatMap(
    (name) => compared.find((path) => nameOf(path) === name) ?? [],
  )
}
