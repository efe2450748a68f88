// Lists a local folder as a source tree. Follows no links, and skips version control and caches.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { ADD_ENTRIES_MAX } from './limits.ts'
import { listDirectory } from '../skill-folders/find-packages.ts'
import { errorCode } from '../skill-folders/note.ts'
import type { SourceTree, TreeFile } from './tree.ts'

const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__'])

export async function openFolder(root: string): Promise<Result<SourceTree, string>> {
  const files: TreeFile[] = []
  const queue = ['']
  let entryCount = 0
  for (let index = 0; index < queue.length; index++) {
    const base = queue[index] ?? ''
    let entries
    try {
      entries = await listDirectory(join(root, base))
    } catch (error) {
      return err(`${join(root, base)} cannot be listed (${errorCode(error)}).`)
    }
    for (const entry of entries) {
      if (SKIPPED_FOLDERS.has(entry.name)) continue
      if (++entryCount > ADD_ENTRIES_MAX)
        return err(`${root} has more than ${ADD_ENTRIES_MAX} entries, the limit for a source.`)
      const path = base === '' ? entry.name : `${base}/${entry.name}`
      if (entry.isDirectory()) queue.push(path)
      else if (!entry.isFile()) files.push({ path, size: 0, kind: 'other' })
      else files.push({ path, size: await sizeOf(join(root, path)), kind: 'file' })
    }
  }
  return ok({ files, commit: null, read: async (paths) => readFiles(root, paths) })
}

async function readFiles(
  root: string,
  paths: ReadonlySet<string>,
): Promise<Result<ReadonlyMap<string, Uint8Array<ArrayBuffer>>, string>> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const path of paths)
    try {
      contents.set(path, new Uint8Array(await readFile(join(root, path))))
    } catch (error) {
      return err(`${join(root, path)} cannot be read (${errorCode(error)}).`)
    }
  return ok(contents)
}

async function sizeOf(path: string): Promise<number> {
  // A file that was deleted after it was listed counts as empty; reading it then fails with a message.
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
