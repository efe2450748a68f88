// The interface between the parts of the executor.

import type { Command, Script } from '../syntax/tree.ts'
import type { Runner, Shell } from '../state/shell.ts'

export interface Execution extends Runner {
  /** Runs commands. Resolves to the exit code of the last one. */
  list(shell: Shell, script: Script): Promise<number>
  command(shell: Shell, command: Command): Promise<number>
  /** Runs code in a copy of the shell, which ends with its EXIT trap. */
  subshell(shell: Shell, run: (copy: Shell) => Promise<number>, copy?: Shell): Promise<number>
  /** Finds and runs a command by name or path. `env` has the exported variables. Resolves to its exit code. */
  external(
    shell: Shell,
    name: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<number>
  /** Runs code one nesting level deeper. Ends the job if the nesting is too deep. */
  deeper<T>(shell: Shell, run: () => Promise<T>): Promise<T>
}
