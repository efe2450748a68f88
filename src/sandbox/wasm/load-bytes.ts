// Fetches the bytes of a file that only the host has, and evicts others if there is no space.

import { negativeErrno } from './errno.ts'

import type { File } from './nodes.ts'
import type { Packages } from './packages.ts'
import type { GuestRun } from './run.ts'

type LoadingRun = GuestRun & { readonly packages: Packages }

/** Fetches the bytes of a file. Returns 0 or a negative error number. */
export async function loadBytes(run: LoadingRun, file: File): Promise<number> {
  if (file.bytes) return 0
  if (file.pack) return run.packages.load(run, file.pack)
  if (file.source === null) return negativeErrno('IO')
  const { quota } = run.tree
  const hasSpace = (): boolean => quota.cachedBytes + quota.bytes + file.size <= quota.maxMemoryBytes
  if (!hasSpace()) evictUnused(run)
  if (!hasSpace()) return negativeErrno('NOMEM')
  const bytes = await run.meter.within(run.fetch(file.source, file.size))
  if (!bytes) return negativeErrno('NOENT')
  if (file.bytes === null) {
    file.bytes = bytes
    file.size = bytes.length
    quota.cachedBytes += bytes.length
  }
  return 0
}

/** Evicts the bytes of all closed and unchanged files. */
function evictUnused({ tree, files }: LoadingRun): void {
  const pendingFolders = [tree.root]
  for (let folder = pendingFolders.pop(); folder; folder = pendingFolders.pop())
    for (const node of folder.entries.values())
      if (node.kind === 'folder') pendingFolders.push(node)
      else if (
        node.kind === 'file' &&
        node.source !== null &&
        !node.dirty &&
        node.openCount === 0 &&
        node.bytes
      )
        files.evict(node)
}
