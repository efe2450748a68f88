// The paths in an archive: their order, and whether they fit into a tar. Separate from the packers, which are loaded
// only when an archive is made.

import type { Failure } from '../../lib/result.ts'
import { utf8 } from '../../lib/bytes.ts'
import { quoted } from '../format/finding.ts'

// Maximum bytes of the name and of the folder in a ustar header.
const USTAR_NAME_MAX_BYTES = 100
const USTAR_PREFIX_MAX_BYTES = 155

/** The error `invalid_skill` for paths that are too long for ustar; null if all fit. */
export function tooLongForTar(paths: Iterable<string>): Failure | null {
  const longPaths = Array.from(paths).filter((path) => !fitsUstar(path))
  if (longPaths.length === 0) return null
  return {
    code: 'invalid_skill',
    detail: 'Some paths are too long for a tar archive. Download the .skill instead, or shorten the paths.',
    errors: longPaths.map((path) => ({
      path: quoted(path),
      message: `must have a name of at most ${USTAR_NAME_MAX_BYTES} bytes in folders of at most ${USTAR_PREFIX_MAX_BYTES}.`,
    })),
  }
}

/** Sorts paths by UTF-16 code units, independently of the locale. */
export function inOrder(paths: Iterable<string>): readonly string[] {
  return Array.from(paths).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Whether this path fits into a ustar header. */
export function fitsUstar(path: string): boolean {
  if (utf8(path).length <= USTAR_NAME_MAX_BYTES) return true
  for (let offset = path.indexOf('/'); offset !== -1; offset = path.indexOf('/', offset + 1))
    if (
      utf8(path.slice(0, offset)).length <= USTAR_PREFIX_MAX_BYTES &&
      utf8(path.slice(offset + 1)).length <= USTAR_NAME_MAX_BYTES
    )
      return true
  return false
}
