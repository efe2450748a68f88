// The interface between a shell and its host: files, commands, programs, time and limits.

import type { CommandFiles } from '../../commands/io/files.ts'
import type { ByteReader } from '../../commands/io/reader.ts'
import type { Descriptor } from './descriptors.ts'
import type { OrderedOutput } from '../../write-order.ts'
import type { Command, CommandIo } from '../../commands/command.ts'

export interface ProgramCall {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: ByteReader
  readonly umask: number
  /** Whether its output goes directly to the script's output, so that it can be streamed. */
  readonly shown: boolean
}
export interface ProgramResult extends OrderedOutput {
  readonly exitCode: number
}

export interface ShellHost {
  /** The files as seen from a working directory. `umask` applies to new files. */
  files(cwd: string, umask: number): CommandFiles
  readonly commands: Readonly<Record<string, Command>>
  /** Whether `name` is a program that runs in another isolate: python3 or node. */
  hasProgram(name: string): boolean
  run(call: ProgramCall): Promise<ProgramResult>
  /** Writes a program's output. `shown` means that it was already streamed while the program ran. */
  written(shown: boolean, write: () => Promise<void>): Promise<void>
  /** Called when a construct is refused: the whole script ends. */
  refused(message: string): void
  /** The message for an unknown command, which follows `bash: `. */
  notFound(name: string): string
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Returns random lower-case letters and digits. */
  readonly fresh: () => string
  /** A random integer from 0 to `below` - 1. */
  random(below: number): number
  /** Ends the job because it uses too much memory or nests too deeply. Never returns. */
  tooMuch(): never
  /** Reports the characters or bytes of one text, list or output. Ends the job if there are too many. */
  held(amount: number): void
  /** Reports the characters of all variables together. Ends the job if there are too many. */
  heldInVariables(characters: number): void
  /** Reports work that the script ended without waiting for it, and that may still be computing. */
  leaves(work: Promise<unknown>): void
  readonly wasm: CommandIo['wasm']
  readonly spend: CommandIo['spend']
  /** The output of the whole script. */
  readonly output: { readonly stdout: Descriptor; readonly stderr: Descriptor }
}
