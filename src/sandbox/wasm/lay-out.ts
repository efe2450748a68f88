// The tree at the start of a job: the host's files without bytes, the calling shell's changes over them, and empty
// folders.

import { SHARED_ROOTS } from './tree.ts'

import type { GuestJob } from '../guest.ts'
import type { Tree } from './tree.ts'

export function layOut(tree: Tree, { files, overlay, folders = [] }: GuestJob): void {
  const gone = new Set(overlay.filter(({ bytes }) => bytes === null).map(({ path }) => path))
  for (const { path, bytes, writable } of files)
    // The folder of a removed file may be gone, too.
    if (!gone.has(path)) tree.put(path, { source: path, size: bytes, writable })
  for (const { path, bytes } of overlay) if (bytes) tree.put(path, { bytes })
  for (const path of folders)
    if (SHARED_ROOTS.some((root) => path.startsWith(`${root}/`)) && !path.split('/').includes('..'))
      tree.folders(path)
}
