// The state of one shell: what a subshell copies.

import type { Script } from '../syntax/tree.ts'
import type { Command } from '../syntax/tree.ts'
import type { Descriptors } from './descriptors.ts'
import type { ShellHost } from './host.ts'
import { USUAL_UMASK } from '../../file-modes.ts'
import { Options } from './options.ts'
import { Traps } from './traps.ts'
import { Variables } from './variables.ts'

export interface FunctionDefinition {
  readonly name: string
  readonly body: Command
  /** Where it was defined: a script's path, or `environment`. */
  readonly file: string
  exported: boolean
}

/** A function or a sourced script that is running. */
export interface Frame {
  readonly name: string
  readonly kind: 'function' | 'source'
  /** The line of the call. */
  readonly line: number
  /** The file of the function; `environment` if there is none. */
  readonly file: string
}

/** Runs commands; the executor provides it to expansions and builtins. */
export interface Runner {
  /** The output of `$(…)`. Sets the status. */
  substitute(shell: Shell, body: Script | string, line: number): Promise<Uint8Array>
  /** The path that represents `<(…)` or `>(…)`. */
  process(shell: Shell, direction: '<' | '>', body: Script): Promise<string>
  /** Runs the text of `eval`, a sourced file or a trap in this shell. */
  text(shell: Shell, text: string, line: number): Promise<number>
  /** The shell itself gets a signal. */
  signal(shell: Shell, name: string): Promise<void>
}

/** A command that runs in the background. */
export interface Job {
  readonly id: number
  readonly source: string
  /** Resolves to its exit code. */
  readonly done: Promise<number>
  readonly finished: boolean
  /** `wait` has returned its exit code. */
  waited: boolean
  /** Ends it with an exit code: a signal. */
  end(status: number): void
}

/** What all shells of one job share. */
export interface Session {
  readonly host: ShellHost
  readonly runner: Runner
  /** What runs in the background: the job ends after it. */
  readonly background: Promise<number>[]
  /** Process ids that were assigned. */
  lastId: number
  /** Shells and functions that are running. */
  depth: number
  /** Characters that variables hold. */
  characters: number
}

export class Shell {
  readonly session: Session
  variables: Variables
  functions: Map<string, FunctionDefinition>
  options: Options
  /** What `alias` prints. Scripts do not expand aliases. */
  aliases = new Map<string, string>()
  traps: Traps
  cwd: string
  positional: string[]
  /** `$0`. */
  name: string
  descriptors: Descriptors
  status = 0
  pipeStatus: number[] = [0]
  line = 1
  frames: Frame[] = []
  loops = 0
  /** Conditions that are running: failures in them do not end the shell. */
  conditions = 0
  /** How deep this subshell is. */
  level = 0
  id: number
  /** `$$`: the same in all subshells. */
  processId: number
  /** It runs the text of an argument (`bash -c`). */
  fromArgument = false
  jobs: Job[] = []
  /** Jobs of the shell that this one is a part of: it only lists them. */
  listedJobs: readonly Job[] = []
  lastJob: Job | null = null
  lastArgument = ''
  /** The shell that this one is a copy of, or itself: the process of `$$`. */
  root: Shell
  /** Signals that arrived and are handled before the next command. */
  pendingSignals: string[] = []
  umask = USUAL_UMASK
  /** Set by a signal. */
  #killed: number | null = null
  /** The shell that this one is a subshell of. */
  #parent: Shell | null = null
  /** Process substitutions of the running commands. */
  processes: { readonly fd: number; readonly end: () => Promise<void> }[] = []
  /** Depth of nested substitutions and `eval`s; `set -x` prints the first character of `PS4` that many times before it. */
  traceDepth = 0
  /** The exit code of the last command substitution; null if there was none since a command began. */
  substituted: number | null = null
  /** The command that is running, as `BASH_COMMAND` prints it. */
  command: () => string = () => ''
  directories: string[] = []
  randomSeed: number | null = null
  /** Computed variables that were unset or replaced. */
  unsetDynamic = new Set<string>()
  /** The file of the script; null for `bash -c` and standard input. */
  script: string | null = null
  /** Position within a cluster of options, for `getopts`. */
  optionPosition = 1
  /** `OPTIND` after the last call of `getopts`. */
  optionIndex = 1
  /** When `SECONDS` was 0. */
  secondsFromMs: number

  constructor(
    session: Session,
    parts: { cwd: string; name: string; positional: string[]; descriptors: Descriptors },
  ) {
    this.session = session
    this.variables = new Variables()
    this.functions = new Map()
    this.options = new Options()
    this.traps = new Traps()
    this.cwd = parts.cwd
    this.name = parts.name
    this.positional = parts.positional
    this.descriptors = parts.descriptors
    this.id = ++session.lastId
    this.processId = this.id
    this.root = this
    this.secondsFromMs = session.host.now()
  }

  /** The status after a signal: the shell and its subshells end before their next command. */
  get killed(): number | null {
    return this.#killed ?? this.#parent?.killed ?? null
  }

  set killed(status: number) {
    this.#killed = status
  }

  /** A job of this shell or of one that it is a subshell of: all can be signalled by their process IDs. */
  jobWithId(id: string): Job | undefined {
    return this.jobs.find((job) => String(job.id) === id) ?? this.#parent?.jobWithId(id)
  }

  get host(): ShellHost {
    return this.session.host
  }

  /** A copy that changes independently: a subshell. */
  fork(): Shell {
    const { cwd, name } = this
    const copy = new Shell(this.session, {
      cwd,
      name,
      positional: [...this.positional],
      descriptors: new Map(this.descriptors),
    })
    copy.#parent = this
    copy.variables = this.variables.copy()
    copy.functions = new Map(this.functions)
    copy.options = this.options.copy()
    copy.aliases = new Map(this.aliases)
    copy.traps = this.traps.inherited(this.options)
    copy.status = this.status
    copy.pipeStatus = this.pipeStatus
    copy.line = this.line
    copy.frames = [...this.frames]
    copy.loops = this.loops
    copy.conditions = this.conditions
    copy.level = this.level + 1
    copy.lastJob = this.lastJob
    copy.lastArgument = this.lastArgument
    copy.directories = [...this.directories]
    copy.script = this.script
    copy.traceDepth = this.traceDepth
    copy.processId = this.processId
    copy.root = this.root
    copy.umask = this.umask
    copy.fromArgument = this.fromArgument
    copy.secondsFromMs = this.secondsFromMs
    copy.unsetDynamic = new Set(this.unsetDynamic)
    copy.randomSeed = null
    copy.optionPosition = this.optionPosition
    copy.optionIndex = this.optionIndex
    return copy
  }
}
