// `trap`, which just-bash lacks: what a script wants done at its end is done in its own shell. Signals come to nobody here.

import type { Said } from './shell.js'

/** Signals that never come: to ask for them is no mistake. */
const SIGNALS = /^(?:SIG)?(?:HUP|INT|QUIT|TERM|PIPE|USR1|USR2|ALRM|CHLD|TSTP|WINCH|\d+)$/i
/** Moments that never come, either: without them a script does what it does, and only says less. */
const NEVER = /^(?:ERR|DEBUG|RETURN)$/i
const AT_EXIT = /^(?:EXIT|0)$/i

export class Traps {
  /** What each shell that runs wants done at its end, the innermost last. */
  readonly #shells: { atExit: string }[] = []

  /** Runs a shell and then what it asked for. Its exit code stays, unless what is done at its end exits with another. */
  async around(run: () => Promise<Said>, more: (text: string) => Promise<Said>): Promise<Said> {
    const shell = { atExit: '' }
    this.#shells.push(shell)
    try {
      const said = await run().catch((error: unknown) => {
        if (shell.atExit === '' || !isExit(error)) throw error
        return error
      })
      if (shell.atExit === '') return said
      const { atExit } = shell
      shell.atExit = ''
      const last = await more(atExit).catch((error: unknown) => {
        if (!isExit(error)) throw error
        said.exitCode = error.exitCode
        return error
      })
      said.stdout += last.stdout
      said.stderr += last.stderr
      if (said instanceof Error) throw said
      return said
    } finally {
      this.#shells.pop()
    }
  }

  /** The command itself. */
  set(args: readonly string[]): { stdout: string; stderr: string; exitCode: number } {
    const shell = this.#shells.at(-1)
    const [first = '', ...rest] = args[0] === '--' ? args.slice(1) : args
    if (first === '' && rest.length === 0 && args.length === 0) {
      const set = shell?.atExit ? `trap -- '${shell.atExit.replaceAll("'", String.raw`'\''`)}' EXIT\n` : ''
      return { stdout: set, stderr: '', exitCode: 0 }
    }
    if (first === '-p' || first === '-l') return { stdout: '', stderr: '', exitCode: 0 }
    // `trap EXIT` and `trap - EXIT` both put back what was before.
    const names = rest.length === 0 ? [first] : rest
    const text = rest.length === 0 || first === '-' ? '' : first
    for (const name of names)
      if (AT_EXIT.test(name)) {
        if (shell) shell.atExit = text
      } else if (!SIGNALS.test(name) && !NEVER.test(name))
        return {
          stdout: '',
          stderr: `bash: trap: ${name}: not here: only EXIT is; ERR, DEBUG, RETURN and signals never come\n`,
          exitCode: 1,
        }
    return { stdout: '', stderr: '', exitCode: 0 }
  }
}

/** What just-bash throws where a script says `exit`. */
function isExit(error: unknown): error is Error & { stdout: string; stderr: string; exitCode: number } {
  return error instanceof Error && 'exitCode' in error && 'stdout' in error && 'stderr' in error
}
