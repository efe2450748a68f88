// Calls a built-in command and reports its failure.

import { FileError } from '../../commands/io/files.ts'
import { BrokenPipe } from '../../commands/io/writer.ts'
import { messagePrefix, type Builtin, type DeclareArgument } from '../builtins/builtin.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError, ExpansionError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'

export async function runBuiltin(
  shell: Shell,
  builtin: Builtin,
  name: string,
  args: readonly string[],
  declared: readonly DeclareArgument[] = args,
): Promise<number> {
  try {
    return await builtin({ shell, name, args, declared })
  } catch (error) {
    if (error instanceof BrokenPipe) return 141
    if (error instanceof ExpansionError) throw error
    if (!(error instanceof CommandError) && !(error instanceof FileError)) throw error
    await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${name}: ${error.message}\n`)
    return error instanceof CommandError ? error.status : 1
  }
}
