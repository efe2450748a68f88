// Starts commands for a program, in the shell that started it. The program waits until the child has ended. The child
// sees the program's files, and the program sees the child's changes afterwards.

import { changesSince, emptyFolders, filesOf, setTimes } from './changes.ts'
import { applyTimes } from './add-job-files.ts'
import { forgetModes, modesOf, setModes } from './modes.ts'
import { SHARED_ROOTS } from './tree.ts'

import type { ChildCall, GuestChange, GuestResult } from '../guest.ts'
import type { File, Folder, Node } from './nodes.ts'
import type { GuestRun } from './run.ts'
import type { Tree } from './tree.ts'

/** Runs a child to its end. Rejects with a message if it cannot run, and with `Killed` if the program must end. */
export async function runChild(
  run: GuestRun,
  call: Omit<ChildCall, 'umask' | 'changes' | 'folders' | 'modes' | 'times'>,
): Promise<GuestResult> {
  const { tree, meter, fetch, start, output } = run
  if (!start) throw new Error('this program cannot start others')
  const changes = await changesSince(
    run.filesBefore,
    tree,
    async (source, size) => (await fetch(source, size)) ?? new Uint8Array(0),
  )
  output.flush()
  const result = await meter.within(
    start({
      ...call,
      umask: run.umask,
      changes,
      folders: emptyFolders(tree),
      modes: modesOf(tree),
      times: setTimes(tree),
    }),
  )
  for (const file of filesOf(tree).values()) file.isReported = file.dirty
  for (const change of result.changes) applyChange(tree, change)
  if (result.folders) applyFolders(tree, result.folders)
  // The shell reports all modes that differ from the defaults.
  forgetModes(tree)
  setModes(tree, result.modes ?? [])
  applyTimes(tree, result.times)
  run.filesBefore = filesOf(tree)
  return result
}

/** Applies a change to the existing file object, so that open descriptors see it. */
function applyChange(tree: Tree, { path, bytes, pieces = [] }: GuestChange): void {
  const found = tree.find(tree.root, path)
  const existing = typeof found === 'number' ? null : found
  if (bytes === null) {
    if (existing?.kind === 'file') removeNode(tree, existing)
    return
  }
  const size = pieces.reduce((sum, piece) => sum + piece.bytes, bytes.length)
  const source = pieces.length > 0 ? { pieces, bytes } : null
  if (existing?.kind !== 'file') {
    if (existing) removeNode(tree, existing)
    tree.put(path, source ? { source, size, writable: true } : { bytes })
    return
  }
  uncount(tree, existing)
  existing.bytes = source ? null : bytes
  existing.source = source
  existing.size = size
  existing.dirty = existing.isReported = false
  tree.touch(existing, null)
}

/** Creates and removes folders so that the program's empty folders are exactly these. */
function applyFolders(tree: Tree, wanted: readonly string[]): void {
  for (const path of wanted) if (SHARED_ROOTS.some((root) => path.startsWith(`${root}/`))) tree.folders(path)
  const remaining = new Set(wanted)
  // Removing a folder may leave its parent empty, so repeat until nothing changes.
  for (let removed = true; removed;) {
    removed = false
    for (const path of emptyFolders(tree)) {
      const folder = tree.find(tree.root, path)
      if (remaining.has(path) || typeof folder === 'number' || folder.kind !== 'folder') continue
      removeNode(tree, folder)
      removed = true
    }
  }
}

function removeNode(tree: Tree, node: Node): void {
  const folder: Folder | null = node.parent
  if (!folder) return
  if (node.kind === 'file') uncount(tree, node)
  folder.entries.delete(node.name)
  node.parent = null
  if (node.kind === 'file' && node.openCount === 0) node.bytes = new Uint8Array(0)
}

/** Stops counting the memory of a file. */
function uncount({ quota }: Tree, file: File): void {
  if (!file.bytes) return
  if (file.dirty) quota.bytes -= file.size
  else if (file.source !== null) quota.cachedBytes -= file.size
  file.dirty = false
}
