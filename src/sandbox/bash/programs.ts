// python3 and node as commands of the shell. They run in separate isolates, and their changes are applied to the shell's
// files when they end.

import type { GuestHost, GuestResult } from '../guest.ts'
import type { CommandContext, ExecResult } from './shell.js'
import { fromLatin1, toLatin1, toText } from './text-of-bytes.ts'
import type { ShellTree } from './tree.ts'

/** Asks the host to run a program. */
export type Exec = NonNullable<GuestHost['exec']>

export const PROGRAMS = ['python3', 'python', 'node'] as const

/**
 * Runs a program with the shell's current folder, exported variables, standard input and files. `isShown` returns
 * whether the program's output is shown while it runs.
 */
export function program(
  name: (typeof PROGRAMS)[number],
  exec: Exec,
  tree: ShellTree,
  isShown: () => boolean,
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
        quiet: !isShown(),
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

/** The standard input, with one character per byte. */
export function stdinOf({ stdin }: CommandContext): string {
  // The cast is safe: just-bash has a special type for such strings, which are strings at run time.
  return (stdin ?? '') as unknown as string
}

const PYTHON_SHEBANG = /^#!.*\bpython[\d.]*\b/
const NODE_SHEBANG = /^#!.*\b(?:node|bun|deno)\b/
const SHELL_SHEBANG = /^#!.*\b(?:ba|da|z|k)?sh\b/

/** The bash code that runs a file that begins with `#!`: a call of its interpreter, or the file's own text. */
export function commandForShebang(text: string): string {
  const line = text.slice(0, text.indexOf('\n') + 1 || text.length)
  if (PYTHON_SHEBANG.test(line)) return 'python3 "$0" "$@"'
  if (NODE_SHEBANG.test(line)) return 'node "$0" "$@"'
  if (SHELL_SHEBANG.test(line)) return text.slice(line.length)
  const [name = ''] = line
    .slice(2)
    .trim()
    .replace(/^\S*\/env\s+(?:-S\s+)?/, '')
    .split(/\s/)
  return /^[\w./+-]+$/.test(name) ? `${name.split('/').at(-1)} "$0" "$@"` : text.slice(line.length)
}
