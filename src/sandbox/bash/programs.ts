// Programs that run elsewhere, as commands of the shell: python3 and node, in isolates of their own. What they change is
// in the shell's files when they are done.

import type { GuestHost, GuestResult } from '../guest.ts'
import type { CommandContext, ExecResult } from './shell.js'
import { fromLatin1, toLatin1, toText } from './text-of-bytes.ts'
import type { ShellTree } from './tree.ts'

/** Has the host run a program. */
export type Exec = NonNullable<GuestHost['exec']>

export const PROGRAMS = ['python3', 'python', 'node'] as const

/**
 * How a program is run: with the shell's folder, exported variables, standard input and files as they are now. `shown` is
 * asked whether what it prints is shown while it runs.
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
        stderr += `${name}: what it wrote is not kept: ${error instanceof Error ? error.message : String(error)}\n`
        exitCode ||= 1
      }
    else {
      stderr += `${name}: stopped (${result.stopped}); what it wrote is not kept\n`
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

/** One character a byte. */
export function stdinOf({ stdin }: CommandContext): string {
  // The cast: just-bash marks such strings with a type of its own, which is a string at run time.
  return (stdin ?? '') as unknown as string
}

const PYTHON = /^#!.*\bpython[\d.]*\b/
const NODE = /^#!.*\b(?:node|bun|deno)\b/
const SHELL = /^#!.*\b(?:ba|da|z|k)?sh\b/

/** What is run for a file that begins with `#!`: its program, or its own text as bash. */
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
