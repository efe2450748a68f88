// Properties of files that commands print but the tree does not store: owner, folder sizes, blocks, links.

import type { CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import { joinedPath } from './names.ts'

/** The owner of all files, as `id` prints it. */
export const OWNER = { name: 'user', id: '1000' } as const
const BLOCK_BYTES = 4_096

/** The size of a small folder on common file systems. */
export function sizeOf({ kind, size }: FileStatus): number {
  return kind === 'directory' ? BLOCK_BYTES : size
}

/** The number of 4 KiB blocks. */
export function blocksOf(status: FileStatus): number {
  return status.kind === 'link' ? 0 : Math.ceil(sizeOf(status) / BLOCK_BYTES)
}

/** The number of hard links. For a folder: its name, its `.`, and the `..` of each subfolder. */
export async function linksOf(io: CommandIo, path: string, { kind }: FileStatus): Promise<number> {
  if (kind !== 'directory') return 1
  let links = 2
  for (const name of await io.files.list(path))
    if ((await io.files.lstat(joinedPath(path, name)))?.kind === 'directory') links++
  return links
}

export interface Listed {
  /** The name as it is printed. */
  readonly name: string
  readonly path: string
  readonly status: FileStatus
}
