// `trap`, which just-bash lacks. Runs a script's exit command in the shell of the script. Signals never arrive.

import type { ShellResult } from './shell.js'

/** Signals, which never arrive. A trap for them is accepted and ignored. */
const SIGNALS = /^(?:SIG)?(?:HUP|INT|QUIT|TERM|PIPE|USR1|USR2|ALRM|CHLD|TSTP|WINCH|\d+)$/i
/** Events that never occur either. Without them a script still works, and only prints less. */
const IGNORED_EVENTS = /^(?:ERR|DEBUG|RETURN)$/i
const EXIT_EVENT = /^(?:EXIT|0)$/i

export class Traps {
  /** The exit command of each running shell, the innermost last. */
  readonly #shells: { atExit: string }[] = []

  /**
   * Runs a shell and then its exit command. The exit code is that of the shell, unless the exit command calls `exit`.
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
      const exitResult = await more(atExit).catch((error: unknown) => {
        if (!isExit(error)) throw error
        result.exitCode = error.exitCode
        return error
      })
      result.stdout += exitResult.stdout
      result.stderr += exitResult.stderr
      if (result instanceof Error) throw result
      return result
    } finally {
      this.#shells.pop()
    }
  }

  /** Runs the `trap` command. */
  set(args: readonly string[]): { stdout: string; stderr: string; exitCode: number } {
    const shell = this.#shells.at(-1)
    const [first = '', ...afterFirst] = args[0] === '--' ? args.slice(1) : args
    if (first === '' && afterFirst.length === 0 && args.length === 0) {
      const listing = shell?.atExit
        ? `trap -- '${shell.atExit.replaceAll("'", String.raw`'\''`)}' EXIT\n`
        : ''
      return { stdout: listing, stderr: '', exitCode: 0 }
    }
    if (first === '-p' || first === '-l') return { stdout: '', stderr: '', exitCode: 0 }
    // `trap EXIT` and `trap - EXIT` both restore the default.
    const names = afterFirst.length === 0 ? [first] : afterFirst
    const text = afterFirst.length === 0 || first === '-' ? '' : first
    for (const name of names)
      if (EXIT_EVENT.test(name)) {
        if (shell) shell.atExit = text
      } else if (!SIGNALS.test(name) && !IGNORED_EVENTS.test(name))
        return {
          stdout: '',
          stderr: `bash: trap: ${name}: not supported: only EXIT is; ERR, DEBUG, RETURN and signals never occur\n`,
          exitCode: 1,
        }
    return { stdout: '', stderr: '', exitCode: 0 }
  }
}

/** Whether just-bash threw this error because a script called `exit`. */
function isExit(error: unknown): error is Error & { stdout: string; stderr: string; exitCode: number } {
  return error instanceof Error && 'exitCode' in error && 'stdout' in error && 'stderr' in error
}
