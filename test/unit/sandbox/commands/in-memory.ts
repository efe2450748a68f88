// The environment of a command in memory: a few files, standard input, and output.

import { jqModule } from '../../../../scripts/runtimes/jq.ts'
import { sqliteModule } from '../../../../scripts/runtimes/sqlite.ts'
import type { Command, CommandIo } from '../../../../src/sandbox/commands/command.ts'
import { Failed, Unsupported } from '../../../../src/sandbox/commands/command.ts'
import { decode, encode } from '../../../../src/sandbox/commands/io/text.ts'
import { FileError, type CommandFiles } from '../../../../src/sandbox/commands/io/files.ts'
import { bytesReader } from '../../../../src/sandbox/commands/io/reader.ts'
import { BufferedWriter } from '../../../../src/sandbox/commands/io/writer.ts'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The message if a construct was refused. */
  readonly refused: string | null
  /** The files after the command, by path. */
  readonly files: ReadonlyMap<string, string>
}

const ROOT = new URL('../../../..', import.meta.url).pathname
const modules = { jq: jqModule, sqlite: sqliteModule }
const compiled = new Map<string, Promise<WebAssembly.Module>>()

/** Exit codes of the commands that a command may start: `echo` and these. */
const EXIT_CODES: Readonly<Record<string, number>> = { false: 1, none: 127 }

const unused = async (): Promise<never> => {
  throw new Error('not in these tests')
}

/** Runs `command` with `files` by name. Folders result from paths. */
export async function ran(
  command: Command,
  name: string,
  args: readonly string[],
  input = '',
  given: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const files = new Map(Object.entries(given).map(([path, text]) => [path, encode(text)]))
  let stdout = ''
  let stderr = ''
  const out = new BufferedWriter((chunk) => void (stdout += decode(chunk)))
  const errors = new BufferedWriter((chunk) => void (stderr += decode(chunk)))
  const io: CommandIo = {
    name,
    args,
    cwd: '/',
    env: {},
    stdin: bytesReader(encode(input)),
    stdout: out,
    stderr: errors,
    files: filesOf(files),
    now: () => 0,
    fresh: () => 'abc123',
    async exec([command = '', ...words]) {
      if (command === 'echo') await out.write(`${words.join(' ')}\n`)
      return EXIT_CODES[command] ?? 0
    },
    wasm: async (name) => {
      const module = compiled.get(name) ?? WebAssembly.compile(modules[name](ROOT))
      compiled.set(name, module)
      return module
    },
    spend: () => undefined,
  }
  let exitCode = 2
  let refused: string | null = null
  try {
    exitCode = await command.run(io)
  } catch (error) {
    if (error instanceof Unsupported) refused = error.message
    else if (error instanceof Failed) {
      await errors.write(`${name}: ${error.message}\n`)
      ;({ exitCode } = error)
    } else throw error
  }
  await out.flush()
  await errors.flush()
  return {
    stdout,
    stderr,
    exitCode,
    refused,
    files: new Map([...files].map(([path, bytes]) => [path, decode(bytes)])),
  }
}

function filesOf(files: Map<string, Uint8Array>): CommandFiles {
  const plain = (path: string): string => path.replace(/^\.\//, '').replace(/\/$/, '')
  const isFolder = (path: string): boolean =>
    path === '.' || [...files.keys()].some((name) => name.startsWith(`${plain(path)}/`))
  const read = async (path: string): Promise<Uint8Array> => {
    const bytes = files.get(plain(path))
    if (!bytes) throw new FileError(isFolder(path) ? 'Is a directory' : 'No such file or directory')
    return bytes
  }
  const stat: CommandFiles['stat'] = async (path) => {
    const bytes = files.get(plain(path))
    if (!bytes && !isFolder(path)) return null
    return { kind: bytes ? 'file' : 'directory', size: bytes?.length ?? 0, mode: 0o644, mtimeMs: 0, inode: 0 }
  }
  return {
    resolve: (path) => path,
    stat,
    lstat: stat,
    async list(path) {
      const start = path === '.' ? '' : `${plain(path)}/`
      const names = [...files.keys()].filter((name) => name.startsWith(start))
      return [...new Set(names.map((name) => name.slice(start.length).split('/')[0] ?? ''))].toSorted()
    },
    async open(path, from = 0) {
      const bytes = await read(path)
      return { ...bytesReader(bytes.subarray(from)), size: bytes.length }
    },
    read,
    readRange: async (path, from, to) => (await read(path)).subarray(from, to),
    async write(path, bytes) {
      files.set(plain(path), bytes)
    },
    async create(path) {
      files.set(plain(path), new Uint8Array())
      return new BufferedWriter((chunk) => {
        files.set(plain(path), encode(decode(files.get(plain(path)) ?? new Uint8Array()) + decode(chunk)))
        return undefined
      })
    },
    // Folders are the beginnings of paths.
    makeDirectory: async () => {},
    async remove(path) {
      files.delete(plain(path))
    },
    async copy(from, to) {
      files.set(plain(to), await read(from))
    },
    rename: unused,
    umask: 0o022,
    setMode: unused,
    setTime: unused,
    link: unused,
    readLink: unused,
    realPath: async (path) => path,
  }
}
