// Handles symbolic links at the end of a call, because the thread stores files only. A link to a file is stored as a
// copy, other links are not stored, and a message names both.

import { pathFromRoot } from '../../files/path.ts'
import type { Entries, FileEntry } from './entries.ts'
import { LINKS_NAMED_MAX } from './limits.ts'
import { isSharedPath } from './paths.ts'
import { isInSkills } from '../read-only.ts'
import { Refusal } from './refusal.ts'

interface FoundLink {
  readonly path: string
  readonly target: string
  /** The file that the link leads to; null for a folder, `undefined` if the target does not exist. */
  readonly file: FileEntry | null | undefined
}

type IsIncluded = (path: string) => boolean

/** The links that the guest created. */
function linksIn(entries: Entries, isIncluded: IsIncluded): readonly FoundLink[] {
  return [...entries.each()].flatMap(([path, entry]) =>
    entry.kind === 'link' && entry.isOwn && isIncluded(path)
      ? [{ path, target: entry.target, file: fileAt(entries, path) }]
      : [],
  )
}

function fileAt(entries: Entries, path: string): FileEntry | null | undefined {
  let real: string
  try {
    real = entries.resolve(path, true)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
  const entry = entries.get(real)
  // Devices and commands have no content.
  if (entry?.kind === 'file') return isSharedPath(real) || isInSkills(real) ? entry : null
  return entry ? null : undefined
}

/** The copies to store in place of links to files. */
export function linkedFiles(
  entries: Entries,
  isIncluded: IsIncluded,
): readonly { readonly path: string; readonly entry: FileEntry }[] {
  return linksIn(entries, isIncluded).flatMap(({ path, file }) =>
    file ? [{ path, entry: { ...file } }] : [],
  )
}

/** A link to a folder or to a missing target, which programs do not see; null if there is none. */
export function linkUnseen(entries: Entries): string | null {
  return linksIn(entries, isSharedPath).find(({ file }) => !file)?.path ?? null
}

/** One sentence about the links; empty if there are none. `cwd` shortens paths. */
export function linksMessage(entries: Entries, cwd: string): string {
  const shown = (path: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)
  const copies: string[] = []
  const lost: string[] = []
  for (const { path, target, file } of linksIn(entries, (path) => pathFromRoot(path) !== null))
    if (file) copies.push(`${shown(path)} (a copy of ${target})`)
    else lost.push(`${shown(path)} (a link to ${file === null ? 'the folder ' : 'nothing: '}${target})`)
  if (copies.length + lost.length === 0) return ''
  const parts = [
    ...(copies.length === 0 ? [] : [`these are stored as files: ${listed(copies)}`]),
    ...(lost.length === 0 ? [] : [`these are not stored: ${listed(lost)}`]),
  ]
  return `bash: links end with the call; ${parts.join('; ')}.\n`
}

function listed(names: readonly string[]): string {
  const more = names.length - LINKS_NAMED_MAX
  return names.slice(0, LINKS_NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
