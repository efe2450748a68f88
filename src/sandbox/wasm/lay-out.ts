// The tree that a job begins with: the host's files without their bytes, over them what the calling shell changed, and the
// folders that no file's path makes.

import { SHARED_ROOTS } from './tree.ts'

import type { GuestJob } from '../guest.ts'
import type { Tree } from './tree.ts'

export function layOut(tree: Tree, { files, overlay, folders = [] }: GuestJob): void {
  const gone = new Set(overlay.filter(({ bytes }) => bytes === null).map(({ path }) => path))
  for (const { path, bytes, writable } of files)
    // The folder of a file that was removed may be gone, too.
    if (!gone.has(path)) tree.put(path, { source: path, size: bytes, writable })
  for (const { path, bytes } of overlay) if (bytes) tree.put(path, { bytes })
  for (const path of folders)
    if (SHARED_ROOTS.some((root) => path.startsWith(`${root}/`)) && !path.split('/').includes('..'))
      tree.folders(path)
}
