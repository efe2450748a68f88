// Satchel's commands as commands of just-bash. A command in the middle of a pipe runs at the same time as the next
// one, so text of any size passes through it.

import { BrokenPipe, BufferedWriter } from '../commands/io/writer.ts'
import { concat } from '../commands/io/bytes.ts'
import { decode } from '../commands/io/text.ts'
import { FileError } from '../commands/io/files.ts'
import { Failed, Unsupported, type Command, type CommandIo } from '../commands/command.ts'
import { Pipe } from '../commands/io/pipe.ts'
import { bytesReader, type ByteReader } from '../commands/io/reader.ts'
import { commandFiles } from './command-files.ts'
import type { CommandContext, ExecResult, IFileSystem, Member } from './shell.js'
import { fromLatin1, fromText, toLatin1 } from './text-of-bytes.ts'

export { readAll } from '../commands/io/reader.ts'

export interface OwnCommandParts {
  /**
   * The files for a command in a pipe. It returns immediately and continues to run, but just-bash revokes the files of
   * a command's context when the command returns.
   */
  readonly fs: IFileSystem
  readonly now: () => number
  readonly fresh: () => string
  /** The pipe of the command that is starting, or null if it has none. Each is returned only once. */
  readonly takeMember: () => Member | null
  /** Called when a command refuses unsupported input or options. This ends the entire script. */
  readonly onRefused: (message: string) => void
  /** Called with the number of bytes of output that have not been written anywhere yet. */
  readonly onHeldOutput: (bytes: number) => void
  readonly wasm: CommandIo['wasm']
  readonly spend: CommandIo['spend']
}

export function ownCommand(
  name: string,
  command: Command,
  parts: OwnCommandParts,
): (args: string[], context: CommandContext) => Promise<ExecResult> {
  return async (args, context) => {
    const member = command.starts ? null : parts.takeMember()
    const stdin = member?.input ?? textReader(inputOf(context), member?.fromFile ?? false)
    // A process substitution ends with its command.
    if (!member?.output || args.some((arg) => arg.includes('/dev/fd/')))
      return runCollected(name, command, args, context, stdin, { ...parts, fs: context.fs })
    const pipe = new Pipe()
    const errors: Uint8Array[] = []
    const done = run(name, command, args, context, stdin, parts, (chunk) => pipe.send(chunk), errors).then(
      (exitCode) => {
        pipe.end()
        return { exitCode, stderr: decode(concat(errors)) }
      },
    )
    // A failure of the shell itself is thrown where the pipe waits for its members.
    done.catch(() => pipe.end())
    member.output({ pipe, done })
    return { stdout: '', stderr: '', exitCode: 0 }
  }
}

async function runCollected(
  name: string,
  command: Command,
  args: string[],
  context: CommandContext,
  stdin: ByteReader,
  parts: OwnCommandParts,
): Promise<ExecResult> {
  const chunks: Uint8Array[] = []
  const errors: Uint8Array[] = []
  let bytes = 0
  const exitCode = await run(
    name,
    command,
    args,
    context,
    stdin,
    parts,
    (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      parts.onHeldOutput(bytes)
      return undefined
    },
    errors,
  )
  return {
    stdout: toLatin1(concat(chunks)),
    stdoutKind: 'bytes',
    stdoutEncoding: 'binary',
    stderr: decode(concat(errors)),
    exitCode,
  }
}

async function run(
  name: string,
  command: Command,
  args: string[],
  context: CommandContext,
  stdin: ByteReader,
  parts: OwnCommandParts,
  send: (chunk: Uint8Array) => Promise<void> | undefined,
  errors: Uint8Array[],
): Promise<number> {
  const stdout = new BufferedWriter(send)
  const stderr = new BufferedWriter((chunk) => {
    errors.push(chunk)
    return undefined
  })
  const io: CommandIo = {
    name,
    args,
    cwd: context.cwd,
    env: context.exportedEnv ?? {},
    stdin,
    stdout,
    stderr,
    files: commandFiles(parts.fs, context.cwd, stdin, stdout, stderr),
    now: parts.now,
    fresh: parts.fresh,
    wasm: parts.wasm,
    spend: parts.spend,
    exec: async (argv, options) => {
      await stdout.flush()
      const result = await context.exec?.(argv.map(quoted).join(' '), {
        cwd: options?.cwd ?? context.cwd,
        stdin: toLatin1(options?.stdin ?? new Uint8Array()),
        stdinKind: 'bytes',
        ...(options?.env && { env: { ...options.env } }),
        ...(context.signal && { signal: context.signal }),
      })
      if (!result) return 127
      const bytes = fromText(result.stdout, result.stdoutKind === 'bytes' ? 'latin1' : 'utf8')
      if (options?.output) options.output(bytes)
      else await stdout.write(bytes)
      await stderr.write(result.stderr)
      return result.exitCode
    },
  }
  try {
    const exitCode = await command.run(io)
    await stdout.flush()
    await stderr.flush()
    return exitCode
  } catch (error) {
    if (error instanceof BrokenPipe) return 141
    if (error instanceof Unsupported) {
      parts.onRefused(error.message)
      return 2
    }
    if (!(error instanceof Failed) && !(error instanceof FileError)) throw error
    // What was written before the failure is kept, as in a real program.
    await stdout.flush().catch(() => {})
    await stderr.write(`${name}: ${error.message}\n`)
    await stderr.flush()
    return error instanceof Failed ? error.exitCode : 1
  } finally {
    stdin.close()
  }
}

function textReader(text: string, fromFile: boolean): ByteReader {
  const reader = bytesReader(fromLatin1(text))
  return fromFile ? { ...reader, size: text.length } : reader
}

/** The standard input, with one character per byte. */
function inputOf({ stdin }: CommandContext): string {
  // The cast is safe: just-bash has a special type for such strings, which are strings at run time.
  return (stdin ?? '') as unknown as string
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
