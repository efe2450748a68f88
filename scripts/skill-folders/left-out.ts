// Reports what is left out of a skill's folder: hidden entries and caches. Refuses credential files by their names.

import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { credentialFile } from '../../src/skills/format/credential-files.ts'
import { isLitter } from '../../src/skills/package/litter.ts'
import { listDirectory } from './find-packages.ts'
import type { Notes } from './note.ts'

/** Maximum number of entries that are checked below a hidden folder, which may be very large. */
const HIDDEN_ENTRIES_MAX = 1_000

/** Reports a skipped entry, at `path` below the skill's `root`. Ignores files that macOS adds. */
export async function noteLeftOut(root: string, path: string, entry: Dirent, notes: Notes): Promise<void> {
  if (isLitter(path)) return
  if (!entry.name.startsWith('.')) {
    const message = 'Caches and installed packages are left out.'
    return notes.add('cache-left-out', 'note', path, message, 'Delete it, because skills cannot use it.')
  }
  // A folder is often a checkout, so a `.git` folder is not an error. It is never uploaded.
  if (path === '.git') {
    const message = 'The Git repository of this folder is left out.'
    return notes.add(
      'hidden-left-out',
      'note',
      path,
      message,
      'No action is needed: only the files are uploaded.',
    )
  }
  const names = entry.isDirectory() && !credentialFile(path) ? await namesBelow(root, path) : [path]
  const refused = names.filter((name) => refuseCredentials(name, notes))
  if (refused.length > 0) return
  const message = 'Hidden files and folders are left out.'
  notes.add(
    'hidden-left-out',
    'note',
    path,
    message,
    'If the skill needs it, rename it so that it does not begin with a dot.',
  )
}

/** Leaves out a file that may contain credentials, which is an error in strict mode. Returns whether it did. */
export function refuseCredentials(path: string, notes: Notes): boolean {
  const refusal = credentialFile(path)
  if (refusal) notes.leaveOut(refusal.rule, refusal.path, refusal.message, refusal.fix)
  return refusal !== null
}

async function namesBelow(root: string, hidden: string): Promise<readonly string[]> {
  const names: string[] = []
  const queue = [hidden]
  for (let index = 0; index < queue.length && names.length < HIDDEN_ENTRIES_MAX; index++) {
    const base = queue[index] ?? ''
    for (const entry of await listDirectory(join(root, base)).catch(() => [])) {
      const path = `${base}/${entry.name}`
      // A repository is listed as one name, whatever its size.
      if (entry.isDirectory() && !credentialFile(path)) queue.push(path)
      else names.push(path)
    }
  }
  return names
}
