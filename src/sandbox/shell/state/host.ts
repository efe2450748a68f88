// What a shell needs from outside: files, commands, programs, time, limits.

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
  /** Whether its output goes where the output of the whole script goes, so that it may be shown as it comes. */
  readonly shown: boolean
}
export interface ProgramResult extends OrderedOutput {
  readonly exitCode: number
}

export interface ShellHost {
  /** The files as seen from a working directory. `umask` is for new ones. */
  files(cwd: string, umask: number): CommandFiles
  readonly commands: Readonly<Record<string, Command>>
  /** Whether `name` is a program that runs elsewhere: python3, node. */
  hasProgram(name: string): boolean
  run(call: ProgramCall): Promise<ProgramResult>
  /** Writes a program's output. `shown`: it was already shown while the program ran. */
  written(shown: boolean, write: () => Promise<void>): Promise<void>
  /** A construct is refused: the whole script ends. */
  refused(message: string): void
  /** What follows `bash: ` for a command that does not exist. */
  notFound(name: string): string
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Random lower-case letters and digits. */
  readonly fresh: () => string
  /** A random integer from 0 to `below` - 1. */
  random(below: number): number
  /** Ends the job, because it holds too much or nests too deeply. Never returns. */
  tooMuch(): never
  /** Called with the characters or bytes of one text, list or output. Ends the job if they are too many. */
  held(amount: number): void
  /** The same for all variables together. */
  heldInVariables(characters: number): void
  /** Work that the script ended without waiting for it. It may still compute. */
  leaves(work: Promise<unknown>): void
  readonly wasm: CommandIo['wasm']
  readonly spend: CommandIo['spend']
  /** The output of the whole script. */
  readonly output: { readonly stdout: Descriptor; readonly stderr: Descriptor }
}
