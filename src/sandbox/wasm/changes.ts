// A guest's changes to the kept folders and to /tmp, which its shell sees: files created, changed, moved and
// removed since the start.

import { pathOf, SHARED_ROOTS } from './tree.ts'

import type { File, Folder } from './nodes.ts'
import type { Tree } from './tree.ts'
import type { GuestChange } from '../guest.ts'

/** The files of these folders before the guest ran, by path. */
export function filesOf(tree: Tree): ReadonlyMap<string, File> {
  const found = new Map<string, File>()
  const waiting: Folder[] = SHARED_ROOTS.map((root) => tree.folders(root))
  for (let folder = waiting.pop(); folder; folder = waiting.pop())
    for (const node of folder.entries.values())
      if (node.kind === 'file') found.set(pathOf(node), node)
      else if (node.kind === 'folder') waiting.push(node)
  return found
}

/** The differences from `before`, ordered by path. `fetch` loads a file that was moved unread; rejects if that does. */
export async function changesSince(
  before: ReadonlyMap<string, File>,
  tree: Tree,
  fetch: (source: string) => Promise<Uint8Array>,
): Promise<readonly GuestChange[]> {
  const after = filesOf(tree)
  const changes: { path: string; bytes: Uint8Array | null }[] = []
  for (const [path, file] of after) {
    if (before.get(path) === file && !file.dirty) continue
    const bytes = file.bytes ?? (file.source === null ? new Uint8Array(0) : await fetch(file.source))
    changes.push({ path, bytes: bytes.slice(0, file.size) })
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, bytes: null })
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The empty folders, which no file's path implies. */
export function emptyFolders(tree: Tree): readonly string[] {
  const found: string[] = []
  const waiting: Folder[] = SHARED_ROOTS.map((root) => tree.folders(root))
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const path = pathOf(folder)
    if (folder.entries.size === 0 && !SHARED_ROOTS.includes(path)) found.push(path)
    for (const node of folder.entries.values()) if (node.kind === 'folder') waiting.push(node)
  }
  return found.toSorted()
}
