// `trap`, which just-bash lacks: runs a script's exit command in the script's own shell. Signals never
// arrive.

import type { ShellResult } from './shell.js'

/** Signals that never arrive: to trap them is no error. */
const SIGNALS = /^(?:SIG)?(?:HUP|INT|QUIT|TERM|PIPE|USR1|USR2|ALRM|CHLD|TSTP|WINCH|\d+)$/i
/** Events that never occur either: without them a script still works and only prints less. */
const NEVER = /^(?:ERR|DEBUG|RETURN)$/i
const AT_EXIT = /^(?:EXIT|0)$/i

export class Traps {
  /** The exit command of each running shell, the innermost last. */
  readonly #shells: { atExit: string }[] = []

  /**
   * Runs a shell and then its exit command. Keeps the shell's exit code, unless the exit command sets
   * another.
   */
  async around(
    run: () => Promise<ShellResult>,
    more: (text: string) => Promise<ShellResult>,
  ): Promise<ShellResult> {
    const shell = { atExit: '' }
    this.#shells.push(shell)
    try {
      const result = await run().catch((error: unknown) => {
        if (shell.atExit === '' || !isExit(error)) throw error
        return error
      })
      if (shell.atExit === '') return result
      const { atExit } = shell
      shell.atExit = ''
      const last = await more(atExit).catch((error: unknown) => {
        if (!isExit(error)) throw error
        result.exitCode = error.exitCode
        return error
      })
      result.stdout += last.stdout
      result.stderr += last.stderr
      if (result instanceof Error) throw result
      return result
    } finally {
      this.#shells.pop()
    }
  }

  /** Runs the `trap` command. */
  set(args: readonly string[]): { stdout: string; stderr: string; exitCode: number } {
    const shell = this.#shells.at(-1)
    const [first = '', ...rest] = args[0] === '--' ? args.slice(1) : args
    if (first === '' && rest.length === 0 && args.length === 0) {
      const set = shell?.atExit ? `trap -- '${shell.atExit.replaceAll("'", String.raw`'\''`)}' EXIT\n` : ''
      return { stdout: set, stderr: '', exitCode: 0 }
    }
    if (first === '-p' || first === '-l') return { stdout: '', stderr: '', exitCode: 0 }
    // `trap EXIT` and `trap - EXIT` both restore the default.
    const names = rest.length === 0 ? [first] : rest
    const text = rest.length === 0 || first === '-' ? '' : first
    for (const name of names)
      if (AT_EXIT.test(name)) {
        if (shell) shell.atExit = text
      } else if (!SIGNALS.test(name) && !NEVER.test(name))
        return {
          stdout: '',
          stderr: `bash: trap: ${name}: not supported: only EXIT is; ERR, DEBUG, RETURN and signals never occur\n`,
          exitCode: 1,
        }
    return { stdout: '', stderr: '', exitCode: 0 }
  }
}

/** What just-bash throws when a script calls `exit`. */
function isExit(error: unknown): error is Error & { stdout: string; stderr: string; exitCode: number } {
  return error instanceof Error && 'exitCode' in error && 'stdout' in error && 'stderr' in error
}
