// Adapts the shell's files to the interface of Satchel's own commands. The tree decides what may be written.

import type { ByteReader } from '../commands/io/reader.ts'
import { bytesReader } from '../commands/io/reader.ts'
import { FileError, type CommandFiles, type FileStatus } from '../commands/io/files.ts'
import { BufferedWriter, type ByteWriter } from '../commands/io/writer.ts'
import { MISSING, NOT_FOLDER } from './refusal.ts'
import type { ShellFiles } from './files.ts'

const NULL_DEVICE = '/dev/null'
const ZERO_DEVICE = '/dev/zero'

/** `umask`: the permissions that new files and folders do not have. */
export function commandFiles(fs: ShellFiles, cwd: string, umask: number): CommandFiles {
  const resolve = (path: string): string => {
    if (path === '') throw new FileError(MISSING)
    return fs.resolvePath(cwd, path)
  }
  const status = async (get: () => Promise<FileStatus>): Promise<FileStatus | null> => {
    try {
      return await get()
    } catch (error) {
      if (isMissing(error)) return null
      throw toFileError(error)
    }
  }
  const statusAt = async (path: string): Promise<FileStatus | null> => {
    const found = await status(async () => fs.stat(resolve(path)))
    // A path with a trailing slash refers to folders only.
    return path.endsWith('/') && found?.kind === 'file' ? null : found
  }
  const readable = async (path: string): Promise<string> => {
    if (path.endsWith('/') && !(await statusAt(path)) && (await statusAt(resolve(path))))
      throw new FileError('Not a directory')
    return resolve(path)
  }
  const movable = async (path: string): Promise<string> => {
    const real = resolve(path)
    if (path.endsWith('/') && (await status(async () => fs.lstat(real)))?.kind === 'link')
      throw new FileError('Not a directory')
    return real
  }
  const writable = (path: string, reason = 'Is a directory'): string => {
    if (path.endsWith('/')) throw new FileError(reason)
    return resolve(path)
  }
  const read = async (path: string): Promise<Uint8Array> =>
    resolve(path) === NULL_DEVICE
      ? new Uint8Array()
      : withFileErrors(async () => fs.readFile(await readable(path)))
  return {
    umask,
    resolve,
    stat: statusAt,
    lstat: async (path) =>
      path.endsWith('/') ? statusAt(path) : status(async () => fs.lstat(resolve(path))),
    list: async (path) => withFileErrors(async () => fs.readdir(resolve(path))),
    async open(path, from = 0) {
      if (resolve(path) === ZERO_DEVICE) return zeros()
      if (resolve(path) === NULL_DEVICE) return { ...bytesReader(new Uint8Array()), size: 0 }
      const reader = await withFileErrors(async () => fs.open(await readable(path), from))
      return { ...reader, read: async () => withFileErrors(async () => reader.read()) }
    },
    read,
    readRange: async (path, from, to) => withFileErrors(async () => fs.readRange(resolve(path), from, to)),
    write: async (path, bytes) => withFileErrors(async () => fs.writeFile(writable(path), bytes, umask)),
    async create(path, options) {
      return writerTo(fs, writable(path), umask, options?.append ?? false)
    },
    makeDirectory: async (path, options) =>
      withFileErrors(async () => fs.mkdir(resolve(path), umask, options?.parents ?? false)),
    remove: async (path, options) =>
      withFileErrors(async () => fs.rm(await movable(path), options?.recursive ?? false)),
    copy: async (from, to) =>
      withFileErrors(async () => fs.cp(await readable(from), writable(to, 'Not a directory'))),
    rename: async (from, to) => withFileErrors(async () => fs.mv(await movable(from), resolve(to))),
    setMode: async (path, mode) => withFileErrors(async () => fs.chmod(resolve(path), mode)),
    setTime: async (path, mtimeMs) =>
      withFileErrors(async () => fs.setTime(resolve(path), new Date(mtimeMs))),
    link: async (target, path) => withFileErrors(async () => fs.symlink(target, resolve(path))),
    readLink: async (path) => withFileErrors(async () => fs.readlink(resolve(path))),
    realPath: async (path) => withFileErrors(async () => fs.realpath(resolve(path))),
  }
}

/** A writer to a file, which exists immediately and is complete after `flush`. */
async function writerTo(fs: ShellFiles, real: string, umask: number, append: boolean): Promise<ByteWriter> {
  await withFileErrors(async () =>
    append ? fs.openToAppend(real, umask) : fs.writeFile(real, new Uint8Array(), umask),
  )
  return new BufferedWriter(async (bytes) => withFileErrors(async () => fs.appendFile(real, bytes, umask)))
}

function zeros(): ByteReader {
  const chunk = new Uint8Array(65_536)
  let closed = false
  return {
    read: async () => (closed ? null : chunk),
    close: () => {
      closed = true
    },
  }
}

/** Waits for a file operation, and converts a refusal to a FileError. */
async function withFileErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw toFileError(error)
  }
}

function isMissing(error: unknown): boolean {
  const reason = reasonOf(error)
  return reason === MISSING || reason === NOT_FOLDER
}

function toFileError(error: unknown): unknown {
  const reason = reasonOf(error)
  return reason === null ? error : new FileError(reason)
}

/** The reason of a Refusal, or null for any other error. Cannot use the class, which is in another bundle. */
function reasonOf(error: unknown): string | null {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : null
}
