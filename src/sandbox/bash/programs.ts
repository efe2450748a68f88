// python3 and node as commands of the shell, which run in isolates of their own. Their changes are applied to the
// shell's files when they end.

import type { GuestHost, GuestResult, StartChild } from '../guest.ts'
import { concat } from '../commands/io/bytes.ts'
import { encode } from '../commands/io/text.ts'
import type { ProgramCall, ProgramResult } from '../shell/state/host.ts'
import { applyModes, unusualModes } from './modes.ts'
import type { ShellTree } from './tree.ts'

/** Asks the host to run a program. */
export type Exec = NonNullable<GuestHost['exec']>

export const PROGRAMS: readonly string[] = ['python3', 'python', 'node']

/**
 * Runs a program with the shell's files and all of its standard input. `start` runs the commands that the program
 * starts, and `wallMs` is its own time limit.
 */
export async function runProgram(
  exec: Exec,
  tree: ShellTree,
  call: Omit<ProgramCall, 'stdin'>,
  stdin: Uint8Array,
  start: StartChild,
  wallMs?: number,
): Promise<ProgramResult> {
  const { name, args, cwd, env, umask, shown } = call
  const overlay = await tree.changes(true)
  const [folders, modes] = [tree.emptyFolders(), unusualModes(tree.entries)]
  const times = tree.times.all()
  const failed = (message: string, exitCode: number): ProgramResult => ({
    stdout: new Uint8Array(),
    stderr: encode(`${name}: ${message}\n`),
    exitCode,
  })
  let result: GuestResult
  let lost = 'its changes'
  const job = { argv: [name, ...args], cwd, env, stdin, umask, overlay, folders, modes, times, quiet: !shown }
  try {
    result = await exec(wallMs === undefined ? job : { ...job, wallMs }, async (child) => {
      lost = 'its changes after it last started a program'
      return start(child)
    })
  } catch (error) {
    return failed(`not available here: ${messageOf(error)}`, 127)
  }
  const { exitCode, stdout, stderr, order = [] } = result
  const withMessage = (message: string): ProgramResult => ({
    stdout,
    stderr: concat([stderr, encode(`${name}: ${message}\n`)]),
    order,
    exitCode: exitCode || 1,
  })
  if (result.stopped !== null) return withMessage(`stopped (${result.stopped}); ${lost} were discarded`)
  try {
    tree.apply(result.changes)
    if (result.folders) tree.applyFolders(result.folders)
    applyModes(tree.entries, result.modes ?? [])
    tree.times.apply(result.times)
    await tree.written.settle()
  } catch (error) {
    return withMessage(`${lost} were discarded: ${messageOf(error)}`)
  }
  return { stdout, stderr, order, exitCode }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
