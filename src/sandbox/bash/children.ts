// Runs the commands that programs of a shell start (`subprocess` of Python). They belong to the shell's job: they have its
// files, its limits and its time.

import { concat } from '../commands/io/bytes.ts'
import { readAll } from '../commands/io/reader.ts'
import { encode } from '../commands/io/text.ts'
import type { ChildCall, GuestResult, StartChild } from '../guest.ts'
import type { Descriptor } from '../shell/state/descriptors.ts'
import type { Control } from './control.ts'
import type { LanguageParts } from './language.ts'
import { BASH_PROGRAM_DEPTH_MAX } from './limits.ts'
import { runProgram, type Exec } from './programs.ts'
import { WriteOrder, type OutputStream } from '../write-order.ts'
import type * as Guarded from './shell.js'
import { applyModes, unusualModes } from './modes.ts'
import type { ShellTree } from './tree.ts'

export interface ChildParts {
  readonly runScript: typeof Guarded.runScript
  readonly exec: Exec
  readonly tree: ShellTree
  readonly control: Control
  readonly now: () => number
}

/** Runs programs one after another. Each sees the files as they are when it starts. */
export type RunPrograms = LanguageParts['run']

/**
 * Returns a function that runs programs for a shell, or for a child at nesting level `depth`. `endsAt` is the
 * deadline.
 */
export function programsOf(
  parts: ChildParts,
  host: () => LanguageParts,
  depth = 1,
  endsAt = Infinity,
): RunPrograms {
  const inTurn = oneAfterAnother()
  return async (call) => {
    // Read the input before the program's turn comes: in a pipe, it may come from a program that still has to run.
    const stdin = await readAll(call.stdin, (bytes) => host().held(bytes))
    return inTurn(async () => {
      if (depth > BASH_PROGRAM_DEPTH_MAX)
        return {
          stdout: new Uint8Array(),
          stderr: encode(
            `${call.name}: not started: more than ${BASH_PROGRAM_DEPTH_MAX} programs in each other\n`,
          ),
          exitCode: 126,
        }
      const ownMs = endsAt === Infinity ? undefined : Math.max(1, endsAt - parts.now())
      const start: StartChild = async (child) => runChild(parts, host(), depth, endsAt, child)
      return runProgram(parts.exec, parts.tree, call, stdin, start, ownMs)
    })
  }
}

async function runChild(
  parts: ChildParts,
  host: LanguageParts,
  depth: number,
  endsAtMs: number,
  { argv, cwd, env, stdin, umask, merged, changes, folders, modes, times, wallMs }: ChildCall,
): Promise<GuestResult> {
  const { tree, control, now, runScript } = parts
  // End the current stretch of computing time, so that the time spent waiting does not count.
  await control.callHost(async () => {})
  tree.apply(changes)
  tree.applyFolders(folders)
  applyModes(tree.entries, modes)
  tree.times.apply(times)
  await tree.written.settle()
  const before = tree.snapshot()
  const endsAt = Math.min(endsAtMs, wallMs === null ? Infinity : now() + wallMs)
  const chunks: Readonly<Record<OutputStream, Uint8Array[]>> = { stdout: [], stderr: [] }
  const order = new WriteOrder()
  let length = 0
  const collect = (stream: OutputStream): Descriptor => ({
    input: null,
    write: (bytes) => {
      length += bytes.length
      host.held(length)
      chunks[stream].push(bytes.slice())
      order.add(stream, bytes.length)
      return undefined
    },
    close: async () => {},
  })
  const stdout = collect('stdout')
  const childHost: LanguageParts = {
    ...host,
    written: async (_shown, write) => write(),
    output: { stdout, stderr: merged ? stdout : collect('stderr') },
    // The child's output is collected, so output of its programs must not be streamed.
    run: async (call) => run({ ...call, shown: false }),
  }
  const run = programsOf(parts, () => childHost, depth + 1, endsAt)
  // Enforce the time limit with the command `timeout`.
  const limited =
    wallMs === null ? argv : ['timeout', '-s', 'KILL', String(Math.max(0.001, wallMs / 1_000)), ...argv]
  const work = runScript(childHost, { argv: limited, cwd, env, stdin, umask })
  let exitCode = 137
  try {
    exitCode = await Promise.race([work, control.graceOver.then(() => 137)])
  } catch (error) {
    // The error either ended a stopped job, or is a bug in the shell.
    if (control.stopReason === null) throw error
  }
  return {
    exitCode,
    stdout: concat(chunks.stdout),
    stderr: concat(chunks.stderr),
    order: order.lengths,
    changes: await tree.changesSince(before),
    folders: tree.emptyFolders(),
    modes: unusualModes(tree.entries),
    times: tree.times.all(),
    stopped: control.stopReason ?? (wallMs !== null && now() >= endsAt ? 'time' : null),
    steps: 0,
  }
}

function oneAfterAnother(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (run) => {
    const next = last.then(run)
    last = next.catch(() => {})
    return next
  }
}
