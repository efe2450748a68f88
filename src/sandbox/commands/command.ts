// What a command of the shell is, and everything that it may use. The interpreter provides it; a command reaches
// nothing else.

import type { ByteReader } from './io/reader.ts'
import type { ByteWriter } from './io/writer.ts'
import type { CommandFiles } from './io/files.ts'

export interface CommandIo {
  /** The name by which it was called. */
  readonly name: string
  /** Without the name. Text; bytes that are not UTF-8 are escaped (io/text.ts). */
  readonly args: readonly string[]
  readonly cwd: string
  /** Exported variables. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: ByteReader
  readonly stdout: ByteWriter
  readonly stderr: ByteWriter
  /** The paths, without links, of the files that standard input and output are; null if they are none. */
  readonly standardFiles?: { readonly input: string | null; readonly output: string | null }
  readonly files: CommandFiles
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Random lower-case letters and digits. */
  readonly fresh: () => string
  /**
   * Runs another command with the same output and environment; resolves to its exit code. Only for commands that
   * are marked with `starts`.
   */
  exec(argv: readonly string[], options?: ExecOptions): Promise<number>
  /** The WebAssembly module of this name. */
  wasm(name: WasmName): Promise<WebAssembly.Module>
  /** Charges work that is not counted by itself: that of a module. Await the result when there is one. */
  spend(steps: number): Promise<void> | undefined
}

/** Modules that are loaded when a command needs them. */
export type WasmName = 'jq' | 'sqlite'

/** No command ends with this exit code by itself. */
export const TIMED_OUT = -1

interface ExecOptions {
  /** Standard input: empty by default, or that of this command. */
  readonly stdin?: Uint8Array | 'inherited'
  readonly cwd?: string
  /** Receives standard output, which otherwise joins the output of this command. */
  readonly output?: (bytes: Uint8Array) => void
  /** Set in addition to the environment, or instead of it. */
  readonly env?: Readonly<Record<string, string>>
  readonly replacesEnv?: true
  /** After this time the command is ended, and the exit code is `TIMED_OUT`. */
  readonly timeoutMs?: number
}

export interface Command {
  /** Runs the command; resolves to its exit code. May throw an `Unsupported`, a `FileError` or a `BrokenPipe`. */
  run(io: CommandIo): Promise<number>
  /** Set for a command that starts other commands: it never runs at the same time as another part of its pipe. */
  readonly starts?: true
}

/**
 * Thrown for anything that this command would not do exactly as the real one: the command ends with exit code 2
 * and names the construct and what to do instead.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
  /** `construct`: with the command's name, as the user wrote it (`sort --files0-from`). `instead`: a command or form that works. */
  constructor(construct: string, instead: string) {
    super(`${construct} is not supported here. Instead: ${instead}`)
  }
}

/** Ends a command with a message, like the real one: `NAME: MESSAGE`, and an exit code. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** A wrong use: the message and where to find help. */
export function usage(command: string, message: string, exitCode = 1): Failed {
  return new Failed(`${message}\nTry '${command} --help' for more information.`, exitCode)
}
