// What the guarded bundle of just-bash exports (scripts/runtimes/bash.ts makes it): the shell, its step counter and the
// hooks that scripts/runtimes/bash-edits.ts put into it.

import type { BashOptions } from 'just-bash/browser'

import type { inRange } from './sed-range.ts'

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
   * Counts from here on. `slow` is asked when `first` steps, and then as many as it gave, are used up; it may throw, and
   * is then asked at each step. `rest` is awaited after `due()` by the next loop that waits anyway.
   */
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
  /** What is left of the slice. */
  left(): number
  due(): void
}

/** What one shell said; a parsed script stands for itself. */
export interface Said {
  stdout: string
  stderr: string
  exitCode: number
  readonly stdoutKind?: 'text' | 'bytes'
}

/** As much of a parsed statement as is looked at. */
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

export interface Hooks {
  /** How deep scripts may lie in scripts: by path, `source`, `eval`, `$(…)` and `bash`, all together. */
  readonly scriptDepth: number
  /** What follows "bash: " for a command that is not there. */
  notFound(name: string): string
  /** Why the last write was refused, once. */
  refused(): string | null
  /** A statement of `script` is about to run. */
  begins(script: object, statement: Statement): void
  /** A statement of `script` has ended. */
  said(script: object, result: Said): void
  /** A statement holds so many bytes of output that has not gone anywhere yet. */
  held(bytes: number): void
  /** A limit of just-bash's own was reached. */
  limited(kind: string, message: string): void
  /** The text that is run for a file that begins with `#!`. */
  interpreted(text: string): string
  /** Text as one character a byte, and back. */
  encoded(text: string): string
  decoded(bytes: string): string
  /** Whether a line of `sed` is in a range. */
  range: typeof inRange
  /** Runs a shell: `run` its script, `more` another text in it. */
  around(script: object, run: () => Promise<Said>, more: (text: string) => Promise<Said>): Promise<Said>
}

export const stepControls: StepControls
export function setHooks(hooks: Hooks): void
