// The C structures that stat and statfs fill in.

import { FOLDER_MODE, modeOfStoredFile } from '../file-modes.ts'
import { sizeOf } from './open-files.ts'

import type { Memory } from './memory.ts'
import type { File, Folder, Node } from './nodes.ts'
import type { Tree } from './tree.ts'

const BLOCK_BYTES = 4096
const FOLDER = 0o040000
const REGULAR = 0o100000
const CHARACTERS = 0o020000
const FIFO = 0o010000
/** The user ID and group ID, as `id` prints them. */
const USER = 1000
/** The device number of the tree; any number except 0. */
const DEVICE = 1

export function modeOf(node: Node): number {
  if (node.kind !== 'device') return (node.kind === 'folder' ? FOLDER : REGULAR) | permissionsOf(node)
  // The standard streams are pipes, as on a command line.
  const stream = node.device === 'pipe' || node.device.startsWith('std')
  return (stream ? FIFO : CHARACTERS) | 0o666
}

/** The permission bits, without the file type. */
export function permissionsOf(node: File | Folder): number {
  if (node.mode !== null) return node.mode
  return (
    (node.kind === 'folder' ? FOLDER_MODE : modeOfStoredFile(node.name)) & (node.writable ? 0o777 : 0o555)
  )
}

/** Whether the guest may run a file, or enter a folder. */
export function mayRun(node: Node): boolean {
  return (modeOf(node) & 0o111) !== 0
}

/** Fills in `struct stat`. Returns 0. */
export function writeStat(memory: Memory, address: number, node: Node): number {
  const size = sizeOf(node)
  memory.setU32(address, DEVICE)
  memory.setU32(address + 4, modeOf(node))
  memory.setU32(address + 8, 1)
  memory.setU32(address + 12, USER)
  memory.setU32(address + 16, USER)
  memory.setU32(address + 20, 0)
  memory.setI64(address + 24, size)
  memory.setU32(address + 32, BLOCK_BYTES)
  memory.setU32(address + 36, Math.ceil(size / 512))
  for (const offset of [40, 56, 72]) {
    memory.setI64(address + offset, Math.floor(node.changedMs / 1_000))
    memory.setU32(address + offset + 8, Math.round((node.changedMs % 1_000) * 1e6))
  }
  memory.setI64(address + 88, node.inode)
  return 0
}

/** Fills in `struct statfs` with the space that the job may still use. Returns 0. */
export function writeSpace(
  { memory, tree: { quota } }: { readonly memory: Memory; readonly tree: Pick<Tree, 'quota'> },
  address: number,
): number {
  const free = Math.floor(Math.max(0, quota.maxBytes - quota.bytes) / BLOCK_BYTES)
  memory.bytes.fill(0, address, address + 88)
  memory.setU32(address + 4, BLOCK_BYTES)
  memory.setU32(address + 60, BLOCK_BYTES)
  memory.setI64(address + 8, Math.ceil(quota.maxBytes / BLOCK_BYTES))
  memory.setI64(address + 16, free)
  memory.setI64(address + 24, free)
  memory.setI64(address + 32, quota.maxFiles)
  memory.setI64(address + 40, quota.maxFiles - quota.files)
  memory.setU32(address + 56, 255)
  return 0
}
