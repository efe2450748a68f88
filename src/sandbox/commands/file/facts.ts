// What commands say about files beyond what the tree stores: the owner, sizes of folders, blocks, links.

import type { CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import { joinedPath } from './names.ts'

/** Of all files; as `id` says. */
export const OWNER = { name: 'user', id: '1000' } as const
const BLOCK_BYTES = 4_096

/** The size of a small folder on common file systems. */
export function sizeOf({ kind, size }: FileStatus): number {
  return kind === 'directory' ? BLOCK_BYTES : size
}

/** Blocks of 4 KiB. */
export function blocksOf(status: FileStatus): number {
  return status.kind === 'link' ? 0 : Math.ceil(sizeOf(status) / BLOCK_BYTES)
}

/** The number of hard links: a folder has its name, `.`, and the `..` of each folder in it. */
export async function linksOf(io: CommandIo, path: string, { kind }: FileStatus): Promise<number> {
  if (kind !== 'directory') return 1
  let links = 2
  for (const name of await io.files.list(path))
    if ((await io.files.lstat(joinedPath(path, name)))?.kind === 'directory') links++
  return links
}

export interface Listed {
  /** As it is shown. */
  readonly name: string
  readonly path: string
  readonly status: FileStatus
}
