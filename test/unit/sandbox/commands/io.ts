// What a command of the shell may use, in memory.

import type { Command, CommandIo } from '../../../../src/sandbox/commands/command.ts'
import { Failed, Refused } from '../../../../src/sandbox/commands/command.ts'
import { FileError, type CommandFiles, type FileStatus } from '../../../../src/sandbox/commands/io/files.ts'
import { decode, encode } from '../../../../src/sandbox/commands/io/text.ts'
import { readerOf } from '../../../../src/sandbox/commands/io/reader.ts'
import type { ByteWriter } from '../../../../src/sandbox/commands/io/writer.ts'

export interface CommandRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Runs `command`; a refusal has the exit code 2 and its message. */
export async function runCommand(
  command: Command,
  [name = '', ...args]: readonly string[],
  stdin = '',
  files: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, encode(text)]))
  const written = { stdout: '', stderr: '' }
  const writerFor = (to: 'stdout' | 'stderr'): ByteWriter => ({
    write(data) {
      written[to] += typeof data === 'string' ? data : decode(data)
      return undefined
    },
    flush: async () => {},
  })
  const io: CommandIo = {
    name,
    args,
    cwd: '/work',
    env: {},
    stdin: readerOf(encode(stdin)),
    stdout: writerFor('stdout'),
    stderr: writerFor('stderr'),
    files: filesOf(contents),
    now: () => 0,
    fresh: () => 'abcdef',
    exec: async () => 127,
  }
  let exitCode: number
  try {
    exitCode = await command.run(io)
  } catch (error) {
    if (!(error instanceof Failed || error instanceof Refused)) throw error
    exitCode = error instanceof Failed ? error.exitCode : 2
    written.stderr += `${error instanceof Failed ? `${name}: ` : ''}${error.message}\n`
  }
  const after = new Map([...contents].map(([path, bytes]) => [path, decode(bytes)]))
  return { exitCode, ...written, files: after }
}

function filesOf(contents: Map<string, Uint8Array>): CommandFiles {
  const read = async (path: string): Promise<Uint8Array> => {
    const bytes = contents.get(path)
    if (!bytes) throw new FileError('No such file or directory')
    return bytes
  }
  const stat = async (path: string): Promise<FileStatus | null> => {
    const bytes = contents.get(path)
    return bytes ? { kind: 'file', size: bytes.length, mode: 0o644, mtimeMs: 0, inode: 1 } : null
  }
  const unused = async (): Promise<never> => {
    throw new Error('this test has no such method')
  }
  return {
    resolve: (path) => path,
    stat,
    lstat: stat,
    list: async () => [...contents.keys()].toSorted(),
    open: async (path) => readerOf(await read(path)),
    read,
    readRange: async (path, from, to) => (await read(path)).subarray(from, to),
    write: async (path, bytes) => void contents.set(path, bytes),
    async create(path) {
      let text = ''
      return {
        write(data) {
          text += typeof data === 'string' ? data : decode(data)
          contents.set(path, encode(text))
          return undefined
        },
        flush: async () => {},
      }
    },
    makeDirectory: unused,
    remove: async (path) => void contents.delete(path),
    copy: unused,
    rename: unused,
    setMode: unused,
    setTime: unused,
    link: unused,
    readLink: unused,
    realPath: unused,
  }
}
