// The rest of node:fs: callbacks, promises, streams and file handles, built on the synchronous calls.

import { Readable, Writable } from 'readable-stream'

import { Buffer } from './buffer.ts'
import * as sync from './fs.ts'
import * as trees from './fs-trees.ts'
import { nextTick } from './timers.ts'

import type { Path } from './fs-call.ts'

type AnyCall = (...args: readonly unknown[]) => unknown

const NAMES = [
  'access',
  'appendFile',
  'chmod',
  'close',
  'copyFile',
  'cp',
  'fstat',
  'fsync',
  'ftruncate',
  'link',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'readdir',
  'readFile',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
] as const

// The cast is safe: the object contains functions by name.
const calls = { ...sync, ...trees } as unknown as Record<string, AnyCall>

function callback(name: string): AnyCall {
  return (...args) => {
    const then = args.at(-1)
    if (typeof then !== 'function')
      throw Object.assign(new TypeError('The "cb" argument must be of type function. Received undefined'), {
        code: 'ERR_INVALID_ARG_TYPE',
      })
    let result: unknown
    let error: unknown = null
    try {
      result = calls[`${name}Sync`]?.(...args.slice(0, -1))
    } catch (thrown) {
      error = thrown
    }
    nextTick(() => (error === null ? then(null, result) : then(error)))
  }
}

const promised =
  (name: string): AnyCall =>
  async (...args) =>
    calls[`${name}Sync`]?.(...args)

/** The result of `fs.promises.open`. */
class FileHandle {
  readonly fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  async readFile(options?: string): Promise<string | Buffer> {
    return sync.readFileSync(this.fd, options)
  }

  async writeFile(data: string | Uint8Array): Promise<void> {
    sync.writeFileSync(this.fd, data)
  }

  async appendFile(data: string | Uint8Array): Promise<void> {
    sync.writeFileSync(this.fd, data)
  }

  async read(into: Uint8Array = Buffer.alloc(16_384), offset = 0, length?: number, position?: number | null) {
    return { bytesRead: sync.readSync(this.fd, into, offset, length, position), buffer: into }
  }

  async write(data: string | Uint8Array, offset?: number | null, length?: number, position?: number | null) {
    return { bytesWritten: sync.writeSync(this.fd, data, offset, length, position), buffer: data }
  }

  async stat(): Promise<sync.Stats> {
    return sync.fstatSync(this.fd)
  }

  async truncate(length = 0): Promise<void> {
    sync.ftruncateSync(this.fd, length)
  }

  async *readLines(): AsyncGenerator<string> {
    const lines = String(sync.readFileSync(this.fd, 'utf8')).split(/\r?\n/)
    if (lines.at(-1) === '') lines.pop()
    yield* lines
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    sync.closeSync(this.fd)
  }

  async [Symbol.for('Symbol.asyncDispose')](): Promise<void> {
    return this.close()
  }
}

export const fsPromises = {
  ...Object.fromEntries(NAMES.map((name) => [name, promised(name)])),
  open: async (path: Path, flags?: string) => new FileHandle(sync.openSync(path, flags)),
  constants: sync.constants,
}

const PIECE = 65_536

interface StreamOptions {
  readonly encoding?: BufferEncoding
  readonly start?: number
  readonly end?: number
  readonly flags?: string
  readonly fd?: number
  readonly highWaterMark?: number
}

function optionsOf(options: StreamOptions | BufferEncoding | undefined): StreamOptions {
  return typeof options === 'string' ? { encoding: options } : (options ?? {})
}

export function createReadStream(path: Path, given?: StreamOptions | BufferEncoding): Readable {
  const {
    encoding,
    start,
    end = Number.POSITIVE_INFINITY,
    fd: open,
    highWaterMark = PIECE,
  } = optionsOf(given)
  let fd = open ?? -1
  let at = start ?? null
  let left = end - (start ?? 0) + 1
  const stream: Readable = new Readable({
    highWaterMark,
    ...(encoding === undefined ? {} : { encoding }),
    construct: (then: (error?: unknown) => void) => {
      try {
        if (fd < 0) fd = sync.openSync(path)
        stream.emit('open', fd)
        then()
      } catch (error) {
        then(error)
      }
    },
    read: (size: number) => {
      try {
        const into = Buffer.alloc(Math.min(size, left, PIECE))
        const count = into.length === 0 ? 0 : sync.readSync(fd, into, 0, into.length, at)
        if (at !== null) at += count
        left -= count
        stream.push(count === 0 ? null : into.subarray(0, count))
      } catch (error) {
        stream.destroy(error as Error)
      }
    },
    destroy: (error: Error | null, then: (error: Error | null) => void) => {
      if (fd > 2) sync.closeSync(fd)
      then(error)
    },
  } as object)
  return Object.assign(stream, { path })
}

export function createWriteStream(path: Path, given?: StreamOptions | BufferEncoding): Writable {
  const { flags = 'w', start, fd: open } = optionsOf(given)
  let fd = open ?? -1
  let at = start ?? null
  const stream: Writable & { bytesWritten?: number } = new Writable({
    decodeStrings: true,
    construct: (then: (error?: unknown) => void) => {
      try {
        if (fd < 0) fd = sync.openSync(path, flags)
        stream.emit('open', fd)
        then()
      } catch (error) {
        then(error)
      }
    },
    write: (chunk: Uint8Array, _encoding: string, then: (error?: unknown) => void) => {
      try {
        const count = sync.writeSync(fd, chunk, 0, chunk.length, at)
        if (at !== null) at += count
        stream.bytesWritten = (stream.bytesWritten ?? 0) + count
        then()
      } catch (error) {
        then(error)
      }
    },
    destroy: (error: Error | null, then: (error: Error | null) => void) => {
      if (fd > 2) sync.closeSync(fd)
      then(error)
    },
  } as object)
  return Object.assign(stream, { path, bytesWritten: 0 })
}

export const fsModule = {
  ...sync,
  ...trees,
  ...Object.fromEntries(NAMES.map((name) => [name, callback(name)])),
  exists: (path: unknown, then: (there: boolean) => void) => nextTick(() => then(sync.existsSync(path))),
  read: (fd: number, into: Uint8Array, ...rest: readonly unknown[]) => {
    // The cast is safe: the last argument is the callback, as in Node.
    const then = rest.at(-1) as (error: unknown, count?: number, buffer?: Uint8Array) => void
    const [offset, length, position] = rest.slice(0, -1) as [number?, number?, number?]
    try {
      const count = sync.readSync(fd, into, offset, length, position)
      nextTick(() => then(null, count, into))
    } catch (error) {
      nextTick(() => then(error))
    }
  },
  write: (fd: number, data: string | Uint8Array, ...rest: readonly unknown[]) => {
    // The cast is safe: the last argument is the callback, as in Node.
    const then = rest.at(-1) as (error: unknown, count?: number, data?: string | Uint8Array) => void
    const [offset, length, position] = rest.slice(0, -1) as [number?, number?, number?]
    try {
      const count = sync.writeSync(fd, data, offset, length, position)
      nextTick(() => then(null, count, data))
    } catch (error) {
      nextTick(() => then(error))
    }
  },
  createReadStream,
  createWriteStream,
  promises: fsPromises,
  watch: absentWatch,
  watchFile: absentWatch,
}

function absentWatch(): never {
  throw new Error('fs.watch is not available: no other program changes these files while this one runs')
}
