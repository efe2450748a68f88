// What the parts of the executor need of each other.

import type { Command, Script } from '../syntax/tree.ts'
import type { Runner, Shell } from '../state/shell.ts'

export interface Execution extends Runner {
  /** Runs commands; resolves to the exit code of the last. */
  list(shell: Shell, script: Script): Promise<number>
  command(shell: Shell, command: Command): Promise<number>
  /** Runs in a copy of the shell, which ends with its EXIT trap. */
  subshell(shell: Shell, run: (copy: Shell) => Promise<number>, copy?: Shell): Promise<number>
  /** Finds and runs a command by name or path. `env`: exported variables. Resolves to its exit code. */
  external(
    shell: Shell,
    name: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<number>
  /** Counts what runs inside something else: ends the job if it is too deep. */
  deeper<T>(shell: Shell, run: () => Promise<T>): Promise<T>
}
