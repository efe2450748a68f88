// Builds the tree for the start of a job: the files of the host without their bytes, then the changes and the
// empty folders of the calling shell.

import { setModes } from './modes.ts'
import { SHARED_ROOTS } from './tree.ts'

import type { FileTime, GuestJob } from '../guest.ts'
import type { Tree } from './tree.ts'

export function addJobFiles(tree: Tree, { files, overlay, folders = [], modes = [], times }: GuestJob): void {
  const removedPaths = new Set(overlay.filter(({ bytes }) => bytes === null).map(({ path }) => path))
  for (const { path, bytes, writable } of files)
    // The folder of a removed file may also have been removed.
    if (!removedPaths.has(path)) tree.put(path, { source: path, size: bytes, writable })
  for (const { path, bytes, pieces = [] } of overlay)
    if (bytes && pieces.length > 0) {
      const size = pieces.reduce((sum, piece) => sum + piece.bytes, bytes.length)
      tree.put(path, { source: { pieces, bytes }, size, writable: true })
    } else if (bytes) tree.put(path, { bytes })
  for (const path of folders)
    if (SHARED_ROOTS.some((root) => path.startsWith(`${root}/`)) && !path.split('/').includes('..'))
      tree.folders(path)
  setModes(tree, modes)
  applyTimes(tree, times)
}

/** Applies times of the calling shell. */
export function applyTimes(tree: Tree, times: readonly FileTime[] = []): void {
  for (const [path, ms] of times) {
    const node = tree.find(tree.root, path)
    if (typeof node !== 'number' && node.writable) tree.touch(node, ms)
  }
}
