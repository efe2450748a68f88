// The modes of a guest's files and folders, which it shares with its shell. Without an explicit mode, the name
// determines it.

import { permissionsOf } from './stat.ts'
import { pathOf, SHARED_ROOTS } from './tree.ts'

import type { FileMode } from '../file-modes.ts'
import type { File, Folder, Node } from './nodes.ts'
import type { Tree } from './tree.ts'

/** Sets a mode for the guest. Returns 0 or a negative error number. */
export function setMode(tree: Tree, node: Node, mode: number): number {
  if (!node.writable) return tree.readOnly(node)
  if (node.kind !== 'device') node.mode = mode & 0o777
  return 0
}

/** Sets the modes that the shell knows. */
export function setModes(tree: Tree, modes: readonly FileMode[]): void {
  for (const [path, mode] of modes) {
    const node = tree.find(tree.root, path)
    if (typeof node !== 'number' && node.kind !== 'device' && node.writable) node.mode = mode & 0o777
  }
}

/** The modes of changed files, and modes that were set. */
export function modesOf(tree: Tree): readonly FileMode[] {
  return [...sharedNodes(tree)].flatMap((node): readonly FileMode[] =>
    node.mode !== null || (node.kind === 'file' && node.dirty) ? [[pathOf(node), permissionsOf(node)]] : [],
  )
}

export function forgetModes(tree: Tree): void {
  for (const node of sharedNodes(tree)) node.mode = null
}

function* sharedNodes(tree: Tree): Generator<File | Folder> {
  const pendingFolders: Folder[] = SHARED_ROOTS.map((root) => tree.folders(root))
  for (let folder = pendingFolders.pop(); folder; folder = pendingFolders.pop())
    for (const node of folder.entries.values()) {
      if (node.kind === 'folder') pendingFolders.push(node)
      if (node.kind !== 'device') yield node
    }
}
