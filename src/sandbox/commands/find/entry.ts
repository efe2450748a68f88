// What find knows about a visited file, and about the whole walk.

import type { CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'

export interface Entry {
  /** The path as it is printed. */
  readonly path: string
  /** The starting point below which it was found. */
  readonly start: string
  readonly depth: number
  readonly status: FileStatus
}

/** The state that tests and actions share during a walk. */
export interface Walk {
  readonly io: CommandIo
  /** The time when find started, in ms since 1970. */
  readonly nowMs: number
  exitCode: number
  /** Set to skip the contents of the current folder. */
  pruned: boolean
  /** Set to end the walk. */
  over: boolean
  /** With `-L`: follow links. */
  readonly follows: boolean
}

/** A test or an action. */
export type Predicate = (entry: Entry, walk: Walk) => boolean | Promise<boolean>

/** The last component of a path, without trailing slashes; `/` for the root. */
export function baseOf(path: string): string {
  const plain = path.replace(/\/+$/, '')
  return plain === '' ? '/' : plain.slice(plain.lastIndexOf('/') + 1)
}

export function typeLetter({ kind }: FileStatus): string {
  return kind === 'directory' ? 'd' : kind === 'link' ? 'l' : 'f'
}

/** Writes `find: TEXT` and records the failure. */
export async function complain(walk: Walk, text: string): Promise<void> {
  await walk.io.stderr.write(`find: ${text}\n`)
  walk.exitCode = 1
}
