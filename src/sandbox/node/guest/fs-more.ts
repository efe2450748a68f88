// The rest of node:fs: callbacks and promises, built on the synchronous calls.

import { Buffer } from './base/buffer.ts'
import { Dir, glob, globPromise, globSync, opendirSync } from './fs-glob.ts'
import * as sync from './fs.ts'
import * as treeCalls from './fs-trees.ts'
import * as vectors from './fs-vectors.ts'
import { nextTick } from './base/timers.ts'

import { FileHandle } from './fs-handle.ts'
import { createReadStream, createWriteStream } from './fs-streams.ts'
import type { Path } from './fs-call.ts'

type AnyCall = (...args: readonly unknown[]) => unknown

const NAMES = [
  'access',
  'appendFile',
  'chmod',
  'chown',
  'close',
  'copyFile',
  'cp',
  'fchmod',
  'fdatasync',
  'fstat',
  'fsync',
  'ftruncate',
  'futimes',
  'lchmod',
  'lchown',
  'link',
  'lstat',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
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

const { sameCalls, ...ownTreeCalls } = treeCalls
const trees = { ...ownTreeCalls, ...sameCalls }

// The cast is safe: the object contains functions by name.
const calls = { ...sync, ...trees, ...vectors, opendirSync } as unknown as Record<string, AnyCall>

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

/** Calls without a promise version, because file handles have them. */
const WITHOUT_PROMISE = new Set(['close', 'fdatasync', 'fstat', 'fsync', 'ftruncate'])

/** Joins the pieces of an iterable. Returns any other data unchanged. */
async function gathered(data: unknown, encoding: unknown): Promise<unknown> {
  const isIterable =
    typeof data === 'object' &&
    data !== null &&
    !ArrayBuffer.isView(data) &&
    (Symbol.asyncIterator in data || Symbol.iterator in data)
  if (!isIterable) return data
  const pieces: Uint8Array[] = []
  // The casts are safe: it is iterable, and Buffer refuses pieces of other types.
  for await (const piece of data as AsyncIterable<string | Uint8Array>)
    pieces.push(typeof piece === 'string' ? Buffer.from(piece, encoding as BufferEncoding) : piece)
  return Buffer.concat(pieces)
}

const writing =
  (name: 'appendFile' | 'writeFile'): AnyCall =>
  async (path, data, options) => {
    const target = path instanceof FileHandle ? path.fd : path
    const encoding =
      typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding
    return calls[`${name}Sync`]?.(target, await gathered(data, encoding), options)
  }

export const fsPromises = {
  ...Object.fromEntries(
    NAMES.filter((name) => !WITHOUT_PROMISE.has(name)).map((name) => [name, promised(name)]),
  ),
  appendFile: writing('appendFile'),
  writeFile: writing('writeFile'),
  readFile: async (path: Path | FileHandle, options?: BufferEncoding) =>
    sync.readFileSync(path instanceof FileHandle ? path.fd : path, options),
  glob: globPromise,
  watch: absentWatch,
  open: async (path: Path, flags?: string, mode?: sync.Mode) =>
    new FileHandle(sync.openSync(path, flags, mode)),
  constants: sync.constants,
}

export const fsModule = {
  ...sync,
  ...trees,
  ...vectors,
  ...Object.fromEntries(['F_OK', 'R_OK', 'W_OK', 'X_OK'].map((name) => [name, sync.constants[name]])),
  Dir,
  glob,
  globSync,
  opendirSync,
  ...Object.fromEntries(NAMES.map((name) => [name, callback(name)])),
  exists: Object.defineProperty(
    (path: unknown, then: (there: boolean) => void) => nextTick(() => then(sync.existsSync(path))),
    Symbol.for('nodejs.util.promisify.custom'),
    { value: async (path: unknown) => sync.existsSync(path) },
  ),
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
  unwatchFile: () => {},
}

function absentWatch(): never {
  throw new Error('fs.watch is not available: no other program changes these files while this one runs')
}
