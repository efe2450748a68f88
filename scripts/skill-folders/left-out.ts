// Reports what is left out of a skill's folder: hidden entries and caches. Refuses credentials. Opens no file.

import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { credentialFile } from '../../src/skills/format/credential-files.ts'
import { isLitter } from '../../src/skills/package/litter.ts'
import { listDirectory } from './find-packages.ts'
import type { Notes } from './note.ts'

/** Entries checked below a hidden one: a home folder, for example, is no part of a skill. */
const LOOK_MAX = 1_000

/** Reports a skipped entry, at `path` below the skill's `root`. Ignores files of file managers. */
export async function noteLeftOut(root: string, path: string, entry: Dirent, notes: Notes): Promise<void> {
  if (isLitter(path)) return
  if (!entry.name.startsWith('.')) {
    const message = 'Caches and installed packages are left out.'
    return notes.add('cache-left-out', 'note', path, message, 'Delete it; nothing in a skill runs from it.')
  }
  // A folder is often a checkout; its repository is never sent. Only an archive may contain one.
  if (path === '.git') {
    const message = 'The repository of this folder is left out.'
    return notes.add('hidden-left-out', 'note', path, message, 'Nothing to do: only the files travel.')
  }
  const names = entry.isDirectory() && !credentialFile(path) ? await namesBelow(root, path) : [path]
  const refused = names.filter((name) => refuseCredentials(name, notes))
  if (refused.length > 0) return
  const message = 'Hidden files and folders are left out.'
  notes.add('hidden-left-out', 'note', path, message, 'Give it a name without the dot if the skill needs it.')
}

/** True if the file may contain credentials, which are never sent; in strict mode that is an error. */
export function refuseCredentials(path: string, notes: Notes): boolean {
  const found = credentialFile(path)
  if (found) notes.leave(found.rule, found.path, found.message, found.fix)
  return found !== null
}

async function namesBelow(root: string, hidden: string): Promise<readonly string[]> {
  const names: string[] = []
  const queue = [hidden]
  for (let at = 0; at < queue.length && names.length < LOOK_MAX; at++) {
    const base = queue[at] ?? ''
    for (const entry of await listDirectory(join(root, base)).catch(() => [])) {
      const path = `${base}/${entry.name}`
      // A repository counts as one name, whatever its size.
      if (entry.isDirectory() && !credentialFile(path)) queue.push(path)
      else names.push(path)
    }
  }
  return names
}
