// The commands that are not Satchel's own yet: just-bash's, each run by its interpreter.

import { Failed, type Command, type CommandIo } from '../commands/command.ts'
import { readAll } from '../commands/io/reader.ts'
import type { GuestJob } from '../guest.ts'
import { FILE_BUILTINS } from '../shell/run/lookup.ts'
import { FILE_COMMANDS } from './command-names.ts'
import type { Control } from './control.ts'
import type { ShellFiles } from './files.ts'
import { BASH_CALL_DEPTH_MAX, BASH_TEXT_HEAP_SHARE } from './limits.ts'
import type * as Shell from './shell.js'
import { smallCommands } from './small-commands.ts'
import { tar } from './tar.ts'
import { fromText, toLatin1 } from './text-of-bytes.ts'

/** Names that the shell itself has, or that are programs. */
const ELSEWHERE = new Set('bash sh python python3 node'.split(' '))

export interface OtherParts {
  readonly shell: typeof Shell
  readonly job: GuestJob
  readonly files: ShellFiles
  readonly control: Control
  readonly fresh: () => string
  /** Called with the bytes that a command holds. */
  readonly held: (bytes: number) => void
  readonly textBytes: number
}

/** The commands by name. Must be called before the tree is sealed. */
export function otherCommands({
  shell,
  job,
  files,
  control,
  fresh,
  held,
  textBytes,
}: OtherParts): Readonly<Record<string, Command>> {
  const { OWN_COMMANDS, defineCommand } = shell
  const custom = Object.entries({
    ...smallCommands(fresh),
    tar: tar(job.limits.heapBytes * BASH_TEXT_HEAP_SHARE),
  })
    .filter(([name]) => !Object.hasOwn(OWN_COMMANDS, name))
    .map(([name, run]) => defineCommand(name, run))
  const names = FILE_COMMANDS.filter(
    (name) => !Object.hasOwn(OWN_COMMANDS, name) && !ELSEWHERE.has(name) && !FILE_BUILTINS.has(name),
  )
  const bash = new shell.Bash({
    fs: files,
    // The cast: names that it does not know have no effect.
    commands: names as Shell.CommandName[],
    cwd: job.cwd,
    env: {},
    customCommands: custom,
    executionLimits: limitsOf(job, textBytes),
    defenseInDepth: false,
  })
  const run = (name: string): Command => ({
    async run(io) {
      const stdin = readsInput(name, io.args) ? toLatin1(await readAll(io.stdin, held)) : ''
      const text = [name, ...(await withFiles(io))].map(quoted).join(' ')
      const result = await bash.exec(text, {
        rawScript: true,
        stdin,
        stdinKind: 'bytes',
        cwd: io.cwd,
        env: { ...io.env },
        replaceEnv: true,
        signal: control.signal,
      })
      await io.stdout.write(fromText(result.stdout, result.stdoutKind === 'bytes' ? 'latin1' : 'utf8'))
      await io.stdout.flush()
      await io.stderr.write(result.stderr)
      if (result.exitCode === 126 && result.stderr.includes('limit exceeded')) throw new Failed('', 126)
      return result.exitCode
    },
  })
  return Object.fromEntries(names.map((name) => [name, run(name)]))
}

/** just-bash's commands do not know the shell's descriptors: what `<(…)` writes becomes a file for them. */
async function withFiles(io: CommandIo): Promise<string[]> {
  const args: string[] = []
  for (const arg of io.args) {
    if (!arg.startsWith('/dev/fd/')) {
      args.push(arg)
      continue
    }
    const path = `/tmp/.input-${io.fresh()}`
    await io.files.write(path, await io.files.read(arg))
    args.push(path)
  }
  return args
}

/** Whether a command reads standard input: others must leave it to the commands after them. */
function readsInput(name: string, args: readonly string[]): boolean {
  if (args.includes('-')) return true
  return /^(?:gzip|gunzip|zcat)$/.test(name) && args.every((arg) => arg.startsWith('-'))
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The limits of just-bash. Its limits for loops and commands are disabled, because steps and time limit them. Only
 * just-bash can count the memory that it holds.
 */
function limitsOf(job: GuestJob, text: number): Shell.ExecutionLimits {
  const countless = Number.MAX_SAFE_INTEGER
  return {
    maxCallDepth: BASH_CALL_DEPTH_MAX,
    maxExecDepth: 64,
    maxCommandCount: countless,
    maxLoopIterations: countless,
    maxAwkIterations: countless,
    maxSedIterations: countless,
    maxJqIterations: countless,
    maxWorkUnits: countless,
    maxInputBytes: countless,
    maxExecutionTimeMs: Number.POSITIVE_INFINITY,
    maxTraversalEntries: countless,
    maxTraversalWork: countless,
    maxGlobOperations: countless,
    maxSourceBytes: text,
    maxStringLength: text,
    maxHeredocSize: text,
    maxOutputSize: countless,
    maxLiveBytes: job.limits.heapBytes,
    maxArchiveBytes: text,
    maxArchiveCompressedBytes: text,
    maxArchiveEntryBytes: text,
  }
}
