// Finds the files that a guest created, changed, moved or removed in the stored folders and in /tmp, which it
// shares with its shell.

import { pathOf, SHARED_ROOTS } from './tree.ts'

import { FETCH_WHOLE_MAX_BYTES } from './limits.ts'

import type { File, ContentSource, Folder } from './nodes.ts'
import type { Tree } from './tree.ts'
import type { FileTime, GuestChange } from '../guest.ts'

/** The files of these folders before the guest runs, by path. */
export function filesOf(tree: Tree): ReadonlyMap<string, File> {
  const found = new Map<string, File>()
  const pendingFolders: Folder[] = SHARED_ROOTS.map((root) => tree.folders(root))
  for (let folder = pendingFolders.pop(); folder; folder = pendingFolders.pop())
    for (const node of folder.entries.values())
      if (node.kind === 'file') found.set(pathOf(node), node)
      else if (node.kind === 'folder') pendingFolders.push(node)
  return found
}

/** The differences from `before`, ordered by path. `fetch` loads files that were moved but never read. */
export async function changesSince(
  before: ReadonlyMap<string, File>,
  tree: Tree,
  fetch: (source: ContentSource, size: number) => Promise<Uint8Array>,
): Promise<readonly GuestChange[]> {
  const after = filesOf(tree)
  const changes: GuestChange[] = []
  for (const [path, file] of after) {
    if (before.get(path) === file && (!file.dirty || file.isReported)) continue
    const { source, size } = file
    if (file.bytes === null && source !== null && size > FETCH_WHOLE_MAX_BYTES) {
      // The file was moved and not read.
      const content = typeof source === 'string' ? { pieces: [{ source, offset: 0, bytes: size }] } : source
      changes.push({ bytes: new Uint8Array(0), ...content, path })
      continue
    }
    const bytes = file.bytes ?? (source === null ? new Uint8Array(0) : await fetch(source, size))
    changes.push({ path, bytes: bytes.slice(0, size) })
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, bytes: null })
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The modification times that were set. */
export function setTimes(tree: Tree): readonly FileTime[] {
  return [...tree.timed]
    .map((node): FileTime => [pathOf(node), node.changedMs])
    .filter(([path]) => SHARED_ROOTS.some((root) => path.startsWith(`${root}/`)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The empty folders. */
export function emptyFolders(tree: Tree): readonly string[] {
  const found: string[] = []
  const pendingFolders: Folder[] = SHARED_ROOTS.map((root) => tree.folders(root))
  for (let folder = pendingFolders.pop(); folder; folder = pendingFolders.pop()) {
    const path = pathOf(folder)
    if (folder.entries.size === 0 && !SHARED_ROOTS.includes(path)) found.push(path)
    for (const node of folder.entries.values()) if (node.kind === 'folder') pendingFolders.push(node)
  }
  return found.toSorted()
}
