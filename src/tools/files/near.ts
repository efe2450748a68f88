// Suggests files of the thread with similar names. Limited, because others may have chosen the paths.

import type { FileAccess } from '../../files/access.ts'
import { foldPath, fullPath } from '../../files/path.ts'
import { findCloseNames } from '../../lib/suggest.ts'
import { SUGGESTIONS_MAX } from '../../limits/skills.ts'
import { NEAR_NAMES_COMPARED, NEAR_NAME_MAX_CHARS } from './limits.ts'

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** ` Did you mean /mnt/user-data/…?`, or empty: the same name in another folder, otherwise similar names. */
export function nearFiles(path: string, files: FileAccess): string {
  const wanted = foldPath(nameOf(path))
  if (wanted === '' || wanted.length > NEAR_NAME_MAX_CHARS) return ''
  const paths = files.list().map((row) => row.path)
  const same = paths.filter((other) => foldPath(nameOf(other)) === wanted)
  const close = same.length > 0 ? same : byName(wanted, paths)
  const shown = close.slice(0, SUGGESTIONS_MAX).map(fullPath)
  return shown.length === 0 ? '' : ` Did you mean ${shown.join(', ')}?`
}

function byName(wanted: string, paths: readonly string[]): readonly string[] {
  const compared = paths
    .filter((path) => nameOf(path).length <= 2 * NEAR_NAME_MAX_CHARS)
    .slice(0, NEAR_NAMES_COMPARED)
  return findCloseNames(wanted, [...new Set(compared.map(nameOf))]).flatMap(
    (name) => compared.find((path) => nameOf(path) === name) ?? [],
  )
}
