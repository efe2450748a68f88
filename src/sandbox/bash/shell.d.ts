// What the guarded bundle of just-bash exports (built by scripts/runtimes/bash.ts): the shell, its step
// counter and the hooks that scripts/runtimes/bash-edits.ts adds.

import type { BashOptions } from 'just-bash/browser'

import type { Command as ShellCommand } from '../commands/command.ts'
import type { ByteReader } from '../commands/io/reader.ts'

export { Bash, defineCommand } from 'just-bash/browser'
export type {
  CommandContext,
  CommandName,
  CpOptions,
  CustomCommand,
  ExecResult,
  FileContent,
  FsStat,
  IFileSystem,
  MkdirOptions,
  RmOptions,
} from 'just-bash/browser'

export type ExecutionLimits = NonNullable<BashOptions['executionLimits']>

export interface StepControls {
  /**
   * Starts to count. Calls `slow` after `first` steps, and then after as many steps as `slow` returned. If `slow`
   * throws, it is called again at each step. After `due()`, the next asynchronous loop awaits `rest`.
   */
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
  /** The number of steps until `slow` is called. */
  left(): number
  due(): void
}

/** The output and exit code of a shell or a statement. */
export interface ShellResult {
  stdout: string
  stderr: string
  exitCode: number
  readonly stdoutKind?: 'text' | 'bytes'
}

/** The parts of a parsed statement that Satchel reads. */
export interface Statement {
  readonly pipelines: readonly { readonly commands: readonly Command[] }[]
}
export interface Command {
  readonly type: string
  readonly name?: Word | null
  readonly redirections?: readonly {
    readonly operator: string
    readonly fd: number | null
    readonly target: Partial<Word>
  }[]
}
interface Word {
  readonly parts: readonly { readonly type: string; readonly value?: string }[]
}

/** A command in a pipe. */
export interface Member {
  /** The pipe that the command reads, or null if its input is text. */
  readonly input: ByteReader | null
  /** Whether its input is redirected from a file with `<`. */
  readonly fromFile: boolean
  /** Receives the command's output and end if it may run at the same time as the next command, otherwise null. */
  readonly output: ((started: StartedMember) => void) | null
}
export interface StartedMember {
  readonly pipe: ByteReader
  readonly done: Promise<{ readonly exitCode: number; readonly stderr: string }>
}

export interface Hooks {
  /** Whether a command of this name reads and writes pipes. */
  streams(name: string): boolean
  /** Reads all data from a pipe, with one character per byte. */
  drained(pipe: ByteReader): Promise<string>
  /** Maximum nesting of scripts that are started by path, `source`, `eval`, `$(…)` or `bash`. */
  readonly scriptDepth: number
  /** The message that follows "bash: " for an unknown command. */
  notFound(name: string): string
  /** Returns why the last write was refused, and forgets it. */
  refused(): string | null
  /** Called before a statement of `script` runs. The parsed script identifies its shell. */
  begins(script: object, statement: Statement): void
  /** Called after a statement of `script`. */
  ended(script: object, result: ShellResult): void
  /** Called with the number of bytes of a statement's output that have not been written anywhere yet. */
  held(bytes: number): void
  /** Called when a limit of just-bash itself is reached. */
  limited(kind: string, message: string): void
  /** The bash code that runs a file that begins with `#!`. */
  interpreted(text: string): string
  /** Converts text to UTF-8 with one character per byte, and back. */
  encoded(text: string): string
  decoded(bytes: string): string
  /** Called to run a shell: `run` runs its script, and `more` runs another text in the same shell. */
  around(
    script: object,
    run: () => Promise<ShellResult>,
    more: (text: string) => Promise<ShellResult>,
  ): Promise<ShellResult>
}

export const stepControls: StepControls
export function setHooks(hooks: Hooks): void

/** The pipe of the command that is starting, or null if it has none or this was called for it before. */
export function takeMember(): Member | null
/** Records that a command of the running pipe refused its input or options. */
export function refusedOnce(): void
/** Satchel's own commands, whose steps are counted. */
export const OWN_COMMANDS: Readonly<Record<string, ShellCommand>>
export { runScript } from './language.ts'
