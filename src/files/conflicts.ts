// Finds changes of one call that exclude each other. Pure.

import type { FileChange } from '../agent/tool.ts'
import { foldPath, fullPath, parentFolders } from './path.ts'

/** Why these changes conflict with each other, regardless of existing files, or null if they do not. */
export function findConflict(changes: readonly FileChange[]): string | null {
  if (changes.length < 2) return null
  const paths = new Set<string>()
  const files = new Map<string, string>()
  for (const { path, body } of changes) {
    if (paths.has(path)) return `${fullPath(path)} is changed twice. Change each file only once.`
    paths.add(path)
    if (!body) continue
    const otherPath = files.get(foldPath(path))
    if (otherPath !== undefined)
      return `${fullPath(path)} and ${fullPath(otherPath)} differ only in letter case. Rename one of them.`
    files.set(foldPath(path), path)
  }
  const folders = new Map<string, string>()
  for (const path of files.values())
    for (const folder of parentFolders(path)) {
      const file = files.get(foldPath(folder))
      if (file !== undefined)
        return `${fullPath(file)} is a file, so it cannot contain ${fullPath(path)}. Rename one of them.`
      const otherPath = folders.get(foldPath(folder))
      if (otherPath !== undefined && otherPath !== folder)
        return `The folders ${fullPath(folder)} and ${fullPath(otherPath)} differ only in letter case. Rename one of them.`
      folders.set(foldPath(folder), folder)
    }
  return null
}
