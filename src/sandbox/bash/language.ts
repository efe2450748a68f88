// Runs a script in a new shell. Part of the code whose steps are counted.

import { Unsupported } from '../commands/command.ts'
import type { CommandFiles } from '../commands/io/files.ts'
import { commandFiles } from './command-files.ts'
import type { ShellFiles } from './files.ts'
import { newVariable } from '../shell/state/variables.ts'
import { inputDescriptor, type Descriptor } from '../shell/state/descriptors.ts'
import { bytesReader } from '../commands/io/reader.ts'
import { Executor } from '../shell/run/executor.ts'
import { runExternal } from '../shell/run/external.ts'
import { setEnvironment } from '../shell/run/scripts.ts'
import type { ShellHost } from '../shell/state/host.ts'
import { Shell, type Session } from '../shell/state/shell.ts'

export interface ScriptCall {
  /** `bash -c TEXT`, or a command with its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array
  /** The umask of the calling program, if there is one. */
  readonly umask?: number
}

/** The first process ID. Low IDs belong to system processes on real machines. */
const FIRST_ID = 1_000

/**
 * Everything from the host except files: these are created here, so that their errors are of the same class as in
 * commands.
 */
export interface LanguageParts extends Omit<ShellHost, 'files'> {
  readonly fs: ShellFiles
}

/** Resolves to the exit code once everything in the background has ended, too. */
export async function runScript(
  parts: LanguageParts,
  { argv, cwd, env, stdin, umask }: ScriptCall,
): Promise<number> {
  const host: ShellHost = { ...parts, files: cachedFiles(parts.fs) }
  const executor = new Executor()
  const session: Session = {
    host,
    runner: executor,
    background: [],
    lastId: FIRST_ID,
    depth: 0,
    characters: 0,
  }
  const descriptors = new Map<number, Descriptor>([
    [0, inputDescriptor(bytesReader(stdin), true)],
    [1, host.output.stdout],
    [2, host.output.stderr],
  ])
  const shell = new Shell(session, { cwd, name: 'bash', positional: [], descriptors })
  shell.umask = umask ?? shell.umask
  setEnvironment(shell, env)
  const [name = '', ...args] = argv
  const isText = argv.length === 3 && name === 'bash' && args[0] === '-c'
  shell.fromArgument = isText
  if (isText) shell.variables.put('BASH_EXECUTION_STRING', newVariable(args[1]))
  const status = await refusing(host, async () =>
    executor.subshell(
      shell,
      async () =>
        isText
          ? executor.text(shell, args[1] ?? '', 1)
          : runExternal(executor, shell, name, args, shell.variables.exported()),
      shell,
    ),
  )
  for (let index = 0; index < session.background.length; index++)
    await refusing(host, async () => (await session.background[index]) ?? 0)
  return status
}

async function refusing(host: ShellHost, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    host.refused(error.message)
    return 2
  }
}

/** Caches a `ShellFiles` adapter for each working directory and umask. */
function cachedFiles(fs: ShellFiles): (cwd: string, umask: number) => CommandFiles {
  const known = new Map<string, CommandFiles>()
  return (cwd, umask) => {
    const key = `${umask} ${cwd}`
    const found = known.get(key) ?? commandFiles(fs, cwd, umask)
    known.set(key, found)
    return found
  }
}
