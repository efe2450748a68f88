// The state of a shell, which a subshell copies.

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
  /** Where the function was defined: the path of a script, or `environment`. */
  readonly file: string
  exported: boolean
}

/** A function or a sourced script that is running. */
export interface Frame {
  readonly name: string
  readonly kind: 'function' | 'source'
  /** The line of the call. */
  readonly line: number
  /** The file that contains the function; `environment` if there is none. */
  readonly file: string
}

/** Runs commands for expansions and built-in commands. The executor provides it. */
export interface Runner {
  /** Returns the output of `$(…)`, and sets the exit status. */
  substitute(shell: Shell, body: Script | string, line: number): Promise<Uint8Array>
  /** Returns the path that represents `<(…)` or `>(…)`. */
  process(shell: Shell, direction: '<' | '>', body: Script): Promise<string>
  /** Runs the text of `eval`, a sourced file or a trap in this shell. */
  text(shell: Shell, text: string, line: number): Promise<number>
  /** Delivers a signal to the shell itself. */
  signal(shell: Shell, name: string): Promise<void>
}

/** A background job. */
export interface Job {
  readonly id: number
  readonly source: string
  /** Resolves to its exit code. */
  readonly done: Promise<number>
  readonly finished: boolean
  /** Whether `wait` has returned its exit code. */
  waited: boolean
  /** Ends the job with an exit code, as a signal does. */
  end(status: number): void
}

/** State that all shells of a job share. */
export interface Session {
  readonly host: ShellHost
  readonly runner: Runner
  /** Background work that must end before the job does. */
  readonly background: Promise<number>[]
  /** The last process ID that was assigned. */
  lastId: number
  /** The number of running shells and functions. */
  depth: number
  /** The number of characters held in variables. */
  characters: number
}

export class Shell {
  readonly session: Session
  variables: Variables
  functions: Map<string, FunctionDefinition>
  options: Options
  /** The aliases, which are only printed, never expanded. */
  aliases = new Map<string, string>()
  traps: Traps
  cwd: string
  positional: string[]
  /** The value of `$0`. */
  name: string
  descriptors: Descriptors
  status = 0
  pipeStatus: number[] = [0]
  line = 1
  frames: Frame[] = []
  loops = 0
  /** The number of running conditions, in which failures do not end the shell. */
  conditions = 0
  /** The nesting level of this subshell. */
  level = 0
  id: number
  /** The value of `$$`, which is the same in all subshells. */
  processId: number
  /** Whether it runs the text of an argument (`bash -c`). */
  fromArgument = false
  jobs: Job[] = []
  /** Jobs of the parent shell, which a subshell can only list. */
  listedJobs: readonly Job[] = []
  lastJob: Job | null = null
  lastArgument = ''
  /** The shell from which this one was copied, or itself: the process `$$`. */
  root: Shell
  /** Signals that arrived and are handled before the next command. */
  pendingSignals: string[] = []
  umask = USUAL_UMASK
  /** The exit status that a signal set; null if there was none. */
  #killed: number | null = null
  /** The parent of this subshell. */
  #parent: Shell | null = null
  /** Process substitutions of running commands. */
  processes: { readonly fd: number; readonly end: () => Promise<void> }[] = []
  /** The depth of nested substitutions and `eval`s, by which `set -x` repeats the first character of `PS4`. */
  traceDepth = 0
  /** The exit code of the last command substitution; null if there was none in the current command. */
  substituted: number | null = null
  /** The current command, as `BASH_COMMAND` prints it. */
  command: () => string = () => ''
  directories: string[] = []
  randomSeed: number | null = null
  /** Computed variables that were unset or overwritten. */
  unsetDynamic = new Set<string>()
  /** The path of the script; null for `bash -c` and standard input. */
  script: string | null = null
  /** Position within a cluster of options, for `getopts`. */
  optionPosition = 1
  /** `OPTIND` after the last call of `getopts`. */
  optionIndex = 1
  /** The time at which `SECONDS` was 0, in ms. */
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

  /** The exit status after a signal, which ends the shell and its subshells before their next command. */
  get killed(): number | null {
    return this.#killed ?? this.#parent?.killed ?? null
  }

  set killed(status: number) {
    this.#killed = status
  }

  /** A job of this shell or of a parent shell, all of which can be signalled by process ID. */
  jobWithId(id: string): Job | undefined {
    return this.jobs.find((job) => String(job.id) === id) ?? this.#parent?.jobWithId(id)
  }

  get host(): ShellHost {
    return this.session.host
  }

  /** Returns an independent copy, which becomes a subshell. */
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
