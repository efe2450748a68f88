// What the guarded bundle of just-bash exports (built by scripts/runtimes/bash.ts): the shell, its step
// counter and the hooks that scripts/runtimes/bash-edits.ts adds.

import type { BashOptions } from 'just-bash/browser'

import type { Command as ShellCommand } from '../commands/command.ts'
import type { ByteReader } from '../commands/io/reader.ts'

export { Bash, defineCommand } from 'just-bash/browser'
export type {
  CommandContext,
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
   * Counts from now on. Calls `slow` after `first` steps, and then after as many as it returned. `slow` may
   * throw; it is then called at each step. After `due()`, the next asynchronous loop awaits `rest`.
   */
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
  /** Steps left in the slice. */
  left(): number
  due(): void
}

/** The output of one shell. The parsed script identifies it. */
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

/** A command of a pipe. */
export interface Member {
  /** What it reads, unless its input is a text. */
  readonly input: ByteReader | null
  /** Its input is a file, by `<`. */
  readonly fromFile: boolean
  /** Set if it may run at the same time as the next: takes what it writes and how it ends. */
  readonly output: ((started: StartedMember) => void) | null
}
export interface StartedMember {
  readonly pipe: ByteReader
  readonly done: Promise<{ readonly exitCode: number; readonly stderr: string }>
}

export interface Hooks {
  /** Whether a command of this name reads and writes pipes. */
  streams(name: string): boolean
  /** Everything in a pipe, one character per byte. */
  drained(pipe: ByteReader): Promise<string>
  /** The deepest nesting of scripts: by path, `source`, `eval`, `$(…)` and `bash` together. */
  readonly scriptDepth: number
  /** What follows "bash: " for an unknown command. */
  notFound(name: string): string
  /** Why the last write was refused; reading clears it. */
  refused(): string | null
  /** A statement of `script` is about to run. */
  begins(script: object, statement: Statement): void
  /** A statement of `script` has ended. */
  ended(script: object, result: ShellResult): void
  /** A statement holds this many bytes of output that was not written anywhere yet. */
  held(bytes: number): void
  /** A limit of just-bash itself was reached. */
  limited(kind: string, message: string): void
  /** The command for a file that begins with `#!`. */
  interpreted(text: string): string
  /** Text as one character per byte, and back. */
  encoded(text: string): string
  decoded(bytes: string): string
  /** Runs a shell: `run` its script, `more` another text in it. */
  around(
    script: object,
    run: () => Promise<ShellResult>,
    more: (text: string) => Promise<ShellResult>,
  ): Promise<ShellResult>
}

export const stepControls: StepControls
export function setHooks(hooks: Hooks): void

/** The pipe of the command that starts; null if it has none or it was asked for before. */
export function takeMember(): Member | null
/** A command of the running pipe refused its input or options. */
export function refusedOnce(): void
/** Satchel's own commands, with counted steps. */
export const OWN_COMMANDS: Readonly<Record<string, ShellCommand>>
export { ownCommand, readAll } from './own-commands.ts'
