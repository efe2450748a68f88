// What find knows about a file that it visits, and about its whole walk.

import type { CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'

export interface Entry {
  /** As it is printed. */
  readonly path: string
  /** The argument that it was found under. */
  readonly start: string
  readonly depth: number
  readonly status: FileStatus
}

/** The walk: what tests and actions share. */
export interface Walk {
  readonly io: CommandIo
  /** The present when find started, in milliseconds. */
  readonly nowMs: number
  exitCode: number
  /** The folder being visited is not entered. */
  pruned: boolean
  /** No more files are visited. */
  over: boolean
  /** `-L`: files are what links lead to. */
  readonly follows: boolean
}

/** Tests that change nothing, and actions. */
export type Predicate = (entry: Entry, walk: Walk) => boolean | Promise<boolean>

/** The last component of a path, without trailing slashes; `/` for the root. */
export function baseOf(path: string): string {
  const plain = path.replace(/\/+$/, '')
  return plain === '' ? '/' : plain.slice(plain.lastIndexOf('/') + 1)
}

export function typeLetter({ kind }: FileStatus): string {
  return kind === 'directory' ? 'd' : kind === 'link' ? 'l' : 'f'
}

/** Writes `find: TEXT` and notes the failure. */
export async function complain(walk: Walk, text: string): Promise<void> {
  await walk.io.stderr.write(`find: ${text}\n`)
  walk.exitCode = 1
}
