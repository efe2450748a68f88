// The interface between the interpreter and a command of the shell: everything that a command may use.

import type { ByteReader } from './io/reader.ts'
import type { ByteWriter } from './io/writer.ts'
import type { CommandFiles } from './io/files.ts'

export interface CommandIo {
  /** The name by which it was called. */
  readonly name: string
  /** The arguments, without the name. Bytes that are not UTF-8 are escaped (io/text.ts). */
  readonly args: readonly string[]
  readonly cwd: string
  /** Exported variables. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: ByteReader
  readonly stdout: ByteWriter
  readonly stderr: ByteWriter
  /** The real paths of the files that standard input and output refer to; null if they are not files. */
  readonly standardFiles?: { readonly input: string | null; readonly output: string | null }
  readonly files: CommandFiles
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Returns random lower-case letters and digits. */
  readonly fresh: () => string
  /**
   * Runs another command with the same output and environment; resolves to its exit code. Only for commands that
   * are marked with `starts`.
   */
  exec(argv: readonly string[], options?: ExecOptions): Promise<number>
  /** The WebAssembly module of this name. */
  wasm(name: WasmName): Promise<WebAssembly.Module>
  /**
   * Charges steps for work that is not counted automatically, such as that of a module. Await the result if it is a
   * promise.
   */
  spend(steps: number): Promise<void> | undefined
}

/** Modules that are loaded when a command needs them. */
export type WasmName = 'jq' | 'sqlite'

/** The exit code for a timeout, which no command returns itself. */
export const TIMED_OUT = -1

interface ExecOptions {
  /** Standard input: empty by default, or inherited from this command. */
  readonly stdin?: Uint8Array | 'inherited'
  readonly cwd?: string
  /** Receives standard output, which otherwise goes to the output of this command. */
  readonly output?: (bytes: Uint8Array) => void
  /** Variables to add to the environment, or to replace it with. */
  readonly env?: Readonly<Record<string, string>>
  readonly replacesEnv?: true
  /** Timeout in ms, after which the command is ended and the exit code is `TIMED_OUT`. */
  readonly timeoutMs?: number
}

export interface Command {
  /** Runs the command; resolves to its exit code. May throw an `Unsupported`, a `FileError` or a `BrokenPipe`. */
  run(io: CommandIo): Promise<number>
  /** Set for a command that starts other commands. It never runs concurrently with another part of its pipe. */
  readonly starts?: true
}

/**
 * Thrown if the command would not behave exactly like the real one. The command ends with exit code 2 and a message
 * that names the construct and an alternative.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
  /**
   * `construct` includes the command's name, as the user wrote it (`sort --files0-from`). `instead` is a command or
   * form that works.
   */
  constructor(construct: string, instead: string) {
    super(`${construct} is not supported here. Instead: ${instead}`)
  }
}

/** Thrown to end a command with the message `NAME: MESSAGE` and an exit code, like the real one. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The error for wrong usage: the message, and where to find help. */
export function usage(command: string, message: string, exitCode = 1): Failed {
  return new Failed(`${message}\nTry '${command} --help' for more information.`, exitCode)
}
