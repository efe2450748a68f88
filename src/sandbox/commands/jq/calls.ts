// The system calls of jq: files, output, environment and time.

import { Buffer } from 'node:buffer'

import { FileError } from '../io/files.ts'
import { ERRNO, negativeErrno } from '../../wasm/errno.ts'
import { JqExit, type JqCall } from './machine.ts'
import type { JqMemory } from './memory.ts'
import { timeCalls } from './time-calls.ts'

/** The input and output of jq. If jq cannot be suspended, no method returns a promise. */
export interface JqStreams {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** The next bytes of standard input; null at the end. */
  stdin(): Uint8Array | null | Promise<Uint8Array | null>
  write(stream: 1 | 2, bytes: Uint8Array): Promise<void> | undefined
  open(path: string): Uint8Array | Promise<Uint8Array>
}

/** Error numbers for messages about files that cannot be opened. */
const REASONS: readonly (readonly [text: string, errno: number])[] = [
  ['No such file or directory', ERRNO.NOENT],
  ['Is a directory', ERRNO.ISDIR],
  ['Not a directory', ERRNO.NOTDIR],
  ['Permission denied', ERRNO.ACCES],
]
/** The file types in `stat`: regular file, character device, directory. */
const [REGULAR, DEVICE, DIRECTORY] = [0o100_644, 0o020_666, 0o040_755]
/** WASI's type of a regular file. */
const FILE_KIND = 4
const FIRST_FILE = 3

interface OpenFile {
  readonly bytes: Uint8Array
  at: number
}

export function jqCalls(memory: JqMemory, streams: JqStreams): Readonly<Record<string, JqCall>> {
  const files = new Map<number, OpenFile>()
  const directories = new Set<number>()
  let next = FIRST_FILE
  let rest: Uint8Array = new Uint8Array()

  const scatter = (bytes: Uint8Array, list: number, count: number): number => {
    let at = 0
    for (let index = 0; index < count && at < bytes.length; index++) {
      const part = bytes.subarray(at, at + memory.u32(list + index * 8 + 4))
      memory.bytes.set(part, memory.u32(list + index * 8))
      at += part.length
    }
    return at
  }
  const room = (list: number, count: number): number => {
    let bytes = 0
    for (let index = 0; index < count; index++) bytes += memory.u32(list + index * 8 + 4)
    return bytes
  }
  const opened = (bytes: Uint8Array): number => {
    files.set(next, { bytes, at: 0 })
    return next++
  }
  const notOpened = (error: unknown): number => {
    if (!(error instanceof FileError)) throw error
    if (error.message === 'Is a directory') {
      directories.add(next)
      return next++
    }
    return -(REASONS.find(([text]) => error.message.startsWith(text))?.[1] ?? ERRNO.IO)
  }
  const status = (at: number, mode: number, size: number): number => {
    memory.bytes.fill(0, at, at + 96)
    memory.setI32(at + 4, mode)
    memory.setI64(at + 24, size)
    return 0
  }
  const statusOf = (path: number, at: number): number | Promise<number> => {
    const found = (bytes: Uint8Array): number => status(at, REGULAR, bytes.length)
    const missing = (error: unknown): number => {
      if (!(error instanceof FileError)) throw error
      return error.message === 'Is a directory' ? status(at, DIRECTORY, 0) : negativeErrno('NOENT')
    }
    try {
      const bytes = streams.open(memory.text(path))
      return bytes instanceof Promise ? bytes.then(found, missing) : found(bytes)
    } catch (error) {
      return missing(error)
    }
  }
  const exit = (code: number): never => {
    throw new JqExit(code)
  }
  const calls: Record<string, (...args: number[]) => unknown> = {
    a: () => exit(134),
    E: () => exit(134),
    b: exit,
    p: exit,
    o: () => 0,
    q: () => 0,
    // fcntl64: no flags are set
    e: () => 0,
    // fstat64
    D: (fd = 0, at = 0) =>
      directories.has(fd)
        ? status(at, DIRECTORY, 0)
        : status(at, files.has(fd) ? REGULAR : DEVICE, files.get(fd)?.bytes.length ?? 0),
    // lstat64, newfstatat, stat64
    A: (path = 0, at = 0) => statusOf(path, at),
    B: (_folder = 0, path = 0, at = 0) => statusOf(path, at),
    C: (path = 0, at = 0) => statusOf(path, at),
    // getcwd
    n: (at = 0, size = 0) =>
      streams.cwd.length + 1 > size ? negativeErrno('RANGE') : memory.setText(at, streams.cwd),
    // ioctl: no descriptor is a terminal
    i: () => negativeErrno('NOTTY'),
    // readlinkat: called by realpath for each part of a path; no path is treated as a link
    m: () => negativeErrno('INVAL'),
    // openat
    f: (_folder = 0, path = 0, flags = 0) => {
      if ((flags & 3) !== 0) return negativeErrno('ROFS')
      try {
        const bytes = streams.open(memory.text(path))
        return bytes instanceof Promise ? bytes.then(opened, notOpened) : opened(bytes)
      } catch (error) {
        return notOpened(error)
      }
    },
    // fd_close
    c: (fd = 0) => {
      files.delete(fd)
      return 0
    },
    // fd_fdstat_get
    y: (_fd = 0, at = 0) => {
      memory.bytes.fill(0, at, at + 24)
      memory.bytes[at] = FILE_KIND
      return 0
    },
    // fd_read
    h: (fd = 0, list = 0, count = 0, result = 0) => {
      if (directories.has(fd)) return ERRNO.ISDIR
      const file = files.get(fd)
      if (file) {
        const read = scatter(file.bytes.subarray(file.at, file.at + room(list, count)), list, count)
        file.at += read
        memory.setI32(result, read)
        return 0
      }
      if (fd !== 0) return ERRNO.BADF
      const given = (bytes: Uint8Array): number => {
        const read = scatter(bytes, list, count)
        rest = bytes.subarray(read)
        memory.setI32(result, read)
        return 0
      }
      if (rest.length > 0) return given(rest)
      const more = streams.stdin()
      return more instanceof Promise ? more.then((bytes) => given(bytes ?? rest)) : given(more ?? rest)
    },
    // fd_write
    d: (fd = 0, list = 0, count = 0, result = 0) => {
      if (fd !== 1 && fd !== 2) return ERRNO.BADF
      const parts: Uint8Array[] = []
      for (let index = 0; index < count; index++) {
        const at = memory.u32(list + index * 8)
        parts.push(memory.bytes.subarray(at, at + memory.u32(list + index * 8 + 4)))
      }
      // Copy, because the memory may change.
      const bytes = new Uint8Array(Buffer.concat(parts))
      memory.setI32(result, bytes.length)
      return bytes.length === 0 ? 0 : (streams.write(fd, bytes)?.then(() => 0) ?? 0)
    },
    // environ_sizes_get, environ_get
    l: (count = 0, size = 0) => {
      const texts = environment(streams.env)
      memory.setI32(count, texts.length)
      memory.setI32(
        size,
        texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0),
      )
      return 0
    },
    j: (list = 0, texts = 0) => {
      let at = texts
      for (const [index, text] of environment(streams.env).entries()) {
        memory.setI32(list + index * 4, at)
        at += memory.setText(at, text)
      }
      return 0
    },
    // random_get: the seed of jq's hash tables. It need not be secret, because all work is limited.
    z: (at = 0, length = 0) => {
      memory.bytes.fill(1, at, at + length)
      return 0
    },
  }
  // The cast is safe: the module declares these functions with the same parameters.
  return {
    ...(calls as Record<string, JqCall>),
    x: seek(files, memory) as JqCall,
    ...timeCalls(memory, streams.env),
  }
}

/** fd_seek: from the start, the current position or the end. */
function seek(
  files: ReadonlyMap<number, OpenFile>,
  memory: JqMemory,
): (fd: number, offset: bigint, from: number, result: number) => number {
  return (fd, offset, from, result) => {
    const file = files.get(fd)
    if (!file) return ERRNO.SPIPE
    file.at = Number(offset) + (from === 1 ? file.at : from === 2 ? file.bytes.length : 0)
    memory.setI64(result, file.at)
    return 0
  }
}

function environment(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`)
}
