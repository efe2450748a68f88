// Runs one job of a shell, from its files to its result. Everything that a guest can change is created anew for each
// job.

import type { GuestHost, GuestJob, GuestResult, StopReason } from '../guest.ts'
import {
  BASH_BRACES_MAX,
  BASH_CALL_DEPTH_MAX,
  BASH_SCRIPT_DEPTH_MAX,
  BASH_TEXT_HEAP_SHARE,
} from './limits.ts'
import { notFound } from './absent.ts'
import { Control } from './control.ts'
import { diff } from './diff.ts'
import type { OwnCommandParts } from './own-commands.ts'
import { ShellFiles } from './files.ts'
import { ShellOutput } from './output.ts'
import { commandForShebang, program, PROGRAMS, type Exec } from './programs.ts'
import type * as Shell from './shell.js'
import { bash, env, nohup } from './starters.ts'
import { smallCommands } from './small-commands.ts'
import { ShownPrograms } from './shown-programs.ts'
import { refusalMessage, stopMessage } from './stop-message.ts'
import { ls } from './wrapped-commands.ts'
import { tar } from './tar.ts'
import { fromLatin1, fromText, toLatin1, toText } from './text-of-bytes.ts'
import { Traps } from './traps.ts'
import { ShellTree } from './tree.ts'

/** Dependencies of a shell. */
export interface ShellParts {
  readonly shell: Pick<
    typeof Shell,
    | 'Bash'
    | 'defineCommand'
    | 'setHooks'
    | 'stepControls'
    | 'OWN_COMMANDS'
    | 'takeMember'
    | 'refusedOnce'
    | 'ownCommand'
    | 'readAll'
  >
  readonly now: () => number
  /** Random letters for a unique name. */
  readonly fresh: () => string
  /** A module, compiled when it is first needed. */
  readonly wasm: OwnCommandParts['wasm']
}

/** A result. `spent` means that the isolate must not be used again. */
export interface SpentResult extends GuestResult {
  readonly spent?: true
}

/** Maps the limits of just-bash to stop reasons. Any other limit is one of memory. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  output_size: 'output',
  iterations: 'steps',
  commands: 'steps',
  glob_operations: 'steps',
}

/** Exit codes of a stopped job. For any other reason it is 137, as after a kill. */
const EXIT_CODES: Readonly<Partial<Record<StopReason, number>>> = { time: 124, stall: 124, refused: 2 }

/**
 * Starts `job`, and immediately returns its control and a promise of its result, which never rejects because of a guest.
 * A stopped job changes nothing, but its isolate cannot be used again, because parts of the job may still be running.
 */
export function runBash(
  job: GuestJob,
  host: GuestHost,
  { shell, now, fresh, wasm }: ShellParts,
): { control: Control; result: Promise<SpentResult> } {
  let limit: { kind: string; message: string } | null = null
  const output = new ShellOutput(
    job.limits.outputBytes,
    async (text) => host.progress(text),
    () => control.stopSoon('output'),
  )
  const control = new Control(shell.stepControls, job.limits, now, () => output.flush())
  const tree = new ShellTree({
    files: job.files,
    overlay: job.overlay,
    limits: job.limits,
    cachedBytes: job.limits.heapBytes * BASH_TEXT_HEAP_SHARE,
    read: async (path) => control.callHost(async () => host.read(path)),
    now: () => new Date(now()),
    onQuotaReached: () => control.stopSoon('files'),
  })
  const files = new ShellFiles(tree)
  const traps = new Traps()
  const shown = new ShownPrograms(() => output.flush())
  let script: object | null = null
  let refusal = ''
  const held = (bytes: number): void => {
    if (bytes > textBytes(job)) control.stopSoon('output')
  }
  const ownParts: OwnCommandParts = {
    fs: files,
    now,
    fresh,
    wasm,
    spend: (steps) => control.charge(steps),
    takeMember: shell.takeMember,
    onHeldOutput: held,
    onRefused: (message) => {
      refusal ||= message
      shell.refusedOnce()
      control.stopSoon('refused')
    },
  }
  shell.setHooks({
    notFound,
    interpreted: commandForShebang,
    scriptDepth: BASH_SCRIPT_DEPTH_MAX,
    refused: () => files.takeRefusalReason(),
    begins: (from, statement) => {
      if (from === script) shown.begins(statement)
    },
    ended: (from, result) => {
      if (from === script) output.statementEnded(result, shown.hasShownOutput)
    },
    held,
    streams: (name) => Object.hasOwn(shell.OWN_COMMANDS, name) && !shell.OWN_COMMANDS[name]?.starts,
    drained: async (pipe) => toLatin1(await shell.readAll(pipe, held)),
    limited: (kind, message) => (limit = { kind, message }),
    encoded: (text) => toLatin1(fromText(text, 'utf8')),
    decoded: (bytes) => toText(fromLatin1(bytes), 'utf8'),
    around: async (from, run, more) => {
      script ??= from
      return traps.around(run, more)
    },
  })

  const work = async (): Promise<Shell.ShellResult> => {
    const bash = new shell.Bash({
      fs: files,
      cwd: job.cwd,
      env: { HOME: job.cwd, TMPDIR: '/tmp', LANG: 'C.UTF-8', TERM: 'dumb', USER: 'user', ...job.env },
      customCommands: commandsOf(
        job,
        host,
        tree,
        traps,
        shown,
        control,
        { shell, now, fresh, wasm },
        ownParts,
      ),
      executionLimits: limitsOf(job),
      defenseInDepth: false,
    })
    tree.seal()
    return bash.exec(commandOf(job.argv), {
      rawScript: true,
      stdin: toLatin1(job.stdin),
      stdinKind: 'bytes',
      signal: control.signal,
    })
  }

  const finish = async (): Promise<SpentResult> => {
    let result: Shell.ShellResult | null = null
    try {
      result = await Promise.race([work(), control.graceOver.then(() => null)])
    } catch (error) {
      // The error ended a stopped job, or it is a bug of the shell, of which only the message can be reported.
      if (control.stopReason === null)
        result = {
          stdout: '',
          stderr: `bash: ${error instanceof Error ? error.message : String(error)}\n`,
          exitCode: 1,
        }
    }
    let stopped = control.stopReason
    if (stopped === 'refused') result = null
    if (stopped === null && result && output.exceedsLimit(result)) stopped = 'output'
    if (stopped === null && result?.exitCode === 126 && limit && result.stderr.includes(limit.message))
      stopped = STOP_REASONS[limit.kind] ?? 'memory'
    let changes: GuestResult['changes'] = []
    if (stopped === null) changes = await tree.changes()
    const { steps } = control
    control.close(stopped !== null)
    if (stopped !== null) output.append(stopMessage(stopped, job.limits, refusal))
    else if (limit) output.append(refusalMessage(limit.message))
    return {
      exitCode: stopped === null ? (result?.exitCode ?? 1) : (EXIT_CODES[stopped] ?? 137),
      ...(await output.end(result)),
      changes,
      stopped,
      steps,
      ...(stopped !== null && { spent: true }),
    }
  }
  return { control, result: finish() }
}

/** `bash -c TEXT` runs the text; any other arguments are run as a command. */
function commandOf(argv: readonly string[]): string {
  if (argv.length === 3 && argv[1] === '-c') return argv[2] ?? ''
  return argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
}

function commandsOf(
  job: GuestJob,
  host: GuestHost,
  tree: ShellTree,
  traps: Traps,
  shown: ShownPrograms,
  control: Control,
  { shell: { defineCommand, OWN_COMMANDS, ownCommand }, fresh }: ShellParts,
  ownParts: OwnCommandParts,
): Shell.CustomCommand[] {
  const commands = Object.entries(smallCommands(fresh)).map(([name, run]) => defineCommand(name, run))
  commands.push(defineCommand('tar', tar(job.limits.heapBytes * BASH_TEXT_HEAP_SHARE)))
  const wrapped = {
    bash,
    diff,
    env,
    ls,
    nohup,
    sh: bash,
  }
  for (const [name, run] of Object.entries(wrapped))
    if (!Object.hasOwn(OWN_COMMANDS, name)) commands.push(defineCommand(name, run))
  commands.push(defineCommand('trap', async (args) => traps.set(args)))
  for (const [name, command] of Object.entries(OWN_COMMANDS))
    commands.push(defineCommand(name, ownCommand(name, command, ownParts)))
  const start: Exec = async (wanted) => control.callHost(async () => started(host, wanted))
  if (host.exec)
    for (const name of PROGRAMS)
      commands.push(
        defineCommand(
          name,
          program(name, start, tree, () => shown.ask()),
        ),
      )
  return commands
}

async function started(host: GuestHost, wanted: Parameters<Exec>[0]): Promise<GuestResult> {
  if (!host.exec) throw new Error('this shell starts no programs')
  return host.exec(wanted)
}

/**
 * The limits of just-bash. Its limits for loops and commands are disabled, because steps and time limit them. Only
 * just-bash can count the memory that it holds.
 */
function limitsOf(job: GuestJob): Shell.ExecutionLimits {
  const text = textBytes(job)
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
    maxBraceExpansionResults: BASH_BRACES_MAX,
  }
}

/** Maximum size of one text, which is at least as large as the largest result. */
function textBytes({ limits }: GuestJob): number {
  return Math.floor(Math.max(limits.outputBytes, limits.heapBytes * BASH_TEXT_HEAP_SHARE))
}
