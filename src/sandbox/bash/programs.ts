// python3 and node as commands of the shell, which run in isolates of their own. Their changes are applied to
// the shell's files when they end.

import type { GuestHost, GuestResult } from '../guest.ts'
import type { CommandContext, ExecResult } from './shell.js'
import { fromLatin1, toLatin1, toText } from './text-of-bytes.ts'
import type { ShellTree } from './tree.ts'

/** Asks the host to run a program. */
export type Exec = NonNullable<GuestHost['exec']>

export const PROGRAMS = ['python3', 'python', 'node'] as const

/**
 * Runs a program with the shell's current folder, exported variables, standard input and files. `shown`
 * returns whether its output is shown while it runs.
 */
export function program(
  name: (typeof PROGRAMS)[number],
  exec: Exec,
  tree: ShellTree,
  shown: () => boolean,
): (args: string[], context: CommandContext) => Promise<ExecResult> {
  return async (args, context) => {
    const overlay = await tree.changes(true)
    const folders = tree.emptyFolders()
    let result: GuestResult
    try {
      result = await exec({
        argv: [name, ...args],
        cwd: context.cwd,
        env: { ...context.exportedEnv },
        stdin: fromLatin1(stdinOf(context)),
        overlay,
        folders,
        quiet: !shown(),
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { stdout: '', stderr: `${name}: not available here: ${why}\n`, exitCode: 127 }
    }
    let { exitCode } = result
    let stderr = toText(result.stderr, 'utf8')
    if (result.stopped === null)
      try {
        tree.apply(result.changes)
        tree.applyFolders(folders, result.folders ?? folders)
      } catch (error) {
        stderr += `${name}: its changes were discarded: ${error instanceof Error ? error.message : String(error)}\n`
        exitCode ||= 1
      }
    else {
      stderr += `${name}: stopped (${result.stopped}); its changes were discarded\n`
      exitCode ||= 1
    }
    return {
      stdout: toLatin1(result.stdout),
      stdoutKind: 'bytes',
      stdoutEncoding: 'binary',
      stderr,
      exitCode,
    }
  }
}

/** One character per byte. */
export function stdinOf({ stdin }: CommandContext): string {
  // The cast: just-bash marks such strings with a type of its own; at run time they are strings.
  return (stdin ?? '') as unknown as string
}

const PYTHON = /^#!.*\bpython[\d.]*\b/
const NODE = /^#!.*\b(?:node|bun|deno)\b/
const SHELL = /^#!.*\b(?:ba|da|z|k)?sh\b/

/** The command for a file that begins with `#!`: its interpreter, or its own text as bash. */
export function interpreted(text: string): string {
  const line = text.slice(0, text.indexOf('\n') + 1 || text.length)
  if (PYTHON.test(line)) return 'python3 "$0" "$@"'
  if (NODE.test(line)) return 'node "$0" "$@"'
  if (SHELL.test(line)) return text.slice(line.length)
  const [name = ''] = line
    .slice(2)
    .trim()
    .replace(/^\S*\/env\s+(?:-S\s+)?/, '')
    .split(/\s/)
  return /^[\w./+-]+$/.test(name) ? `${name.split('/').at(-1)} "$0" "$@"` : text.slice(line.length)
}
