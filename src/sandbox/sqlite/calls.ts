// The system calls of SQLite: files, time, and memory. There is no other process, so every lock is free.

import { ERRNO, negativeErrno } from '../wasm/errno.ts'
import type { Memory } from '../wasm/memory.ts'
import type { OrPromise, SqliteFileFacts, SqliteFiles, SqliteOpenFile } from './files.ts'

const CREATE = 0o100
const EXCLUSIVE = 0o200
const TRUNCATE = 0o1000
const EMPTY_PATH = 0x1000
const WRITE_MODE = 2
const RANDOM_DEVICE = '/dev/urandom'
const FIRST_DESCRIPTOR = 3
const PAGE_BYTES = 4096
/** The `fcntl` command that queries a lock, and the answer that there is none. */
const [GET_LOCK, UNLOCKED] = [12, 2]

/** Host functions that SQLite calls, other than for files. */
export interface SqliteSystem {
  readonly files: SqliteFiles
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly random: (bytes: Uint8Array) => void
  /** Called when the fuel is used up. */
  readonly spend: (steps: number) => Promise<void> | undefined
  /** Whether the memory may grow to this size. */
  readonly mayGrow: (bytes: number) => boolean
}

interface Descriptor {
  readonly file: SqliteOpenFile
  position: number
}

/** A function that SQLite imports. Its arguments are WebAssembly numbers. */
export type SqliteCall = (...args: never[]) => unknown

/** Calls that may suspend SQLite. */
export const SQLITE_WAITING: ReadonlySet<string> = new Set([
  '__syscall_faccessat',
  '__syscall_openat',
  '__syscall_stat64',
  '__syscall_lstat64',
  '__syscall_newfstatat',
  '__syscall_unlinkat',
  '__syscall_ftruncate64',
  'fd_read',
  'fd_write',
])

export function sqliteCalls(
  memory: () => Memory,
  allocate: (bytes: number) => number,
  { files, now, random, mayGrow }: SqliteSystem,
): Readonly<Record<string, SqliteCall>> {
  const open = new Map<number, Descriptor>()
  let next = FIRST_DESCRIPTOR
  const textAt = (address: number): string => memory().text(address) ?? ''
  const absolute = (path: string): string => {
    const names: string[] = []
    for (const name of (path.startsWith('/') ? path : `${files.cwd}/${path}`).split('/'))
      if (name === '..') names.pop()
      else if (name !== '' && name !== '.') names.push(name)
    return `/${names.join('/')}`
  }
  const writeFacts = (at: number, { kind, size, inode, writable, changedMs }: SqliteFileFacts): number => {
    const m = memory()
    m.bytes.fill(0, at, at + 96)
    m.setU32(at, 1)
    m.setU32(at + 4, (kind === 'folder' ? 0o040_111 : 0o100_000) | (writable ? 0o644 : 0o444))
    m.setU32(at + 8, 1)
    m.setI64(at + 24, size)
    m.setU32(at + 32, PAGE_BYTES)
    m.setU32(at + 36, Math.ceil(size / 512))
    for (const offset of [40, 56, 72]) m.setI64(at + offset, Math.floor(changedMs / 1_000))
    m.setI64(at + 88, inode)
    return 0
  }
  const factsOf = (path: number, use: (facts: SqliteFileFacts) => number): OrPromise<number> =>
    after(files.facts(absolute(textAt(path))), (facts) => (typeof facts === 'number' ? facts : use(facts)))
  const stat = (path: number, at: number): OrPromise<number> =>
    factsOf(path, (facts) => writeFacts(at, facts))
  const withFile = (fd: number, use: (descriptor: Descriptor) => OrPromise<number>): OrPromise<number> => {
    const descriptor = open.get(fd)
    return descriptor ? use(descriptor) : negativeErrno('BADF')
  }
  const buffersOf = (list: number, count: number): readonly (readonly [at: number, length: number])[] =>
    Array.from({ length: count }, (_, index) => [
      memory().u32(list + index * 8),
      memory().u32(list + index * 8 + 4),
    ])
  /** WASI's calls return a positive error number, and write their result to memory. */
  const wasi = (result: OrPromise<number>, into: number): OrPromise<number> =>
    after(result, (value) => {
      if (value < 0) return -value
      memory().setU32(into, value)
      return 0
    })
  const transfer = (
    fd: number,
    list: number,
    count: number,
    one: (descriptor: Descriptor, bytes: Uint8Array) => OrPromise<number>,
  ): OrPromise<number> =>
    withFile(fd, (descriptor) => {
      const buffers = buffersOf(list, count)
      const from = (index: number, done: number): OrPromise<number> => {
        const [at, length] = buffers[index] ?? [0, 0]
        if (index >= buffers.length) return done
        return after(one(descriptor, memory().bytes.subarray(at, at + length)), (moved) => {
          if (moved < 0) return moved
          descriptor.position += moved
          return moved < length ? done + moved : from(index + 1, done + moved)
        })
      }
      return from(0, 0)
    })

  return {
    __syscall_openat: (_folder: number, path: number, flags: number) => {
      const location = absolute(textAt(path))
      const opened = (file: SqliteOpenFile | number): number => {
        if (typeof file === 'number') return file
        open.set(next, { file, position: 0 })
        return next++
      }
      if (location === RANDOM_DEVICE) return opened(randomDevice(random))
      const mode = {
        writes: (flags & 3) !== 0,
        creates: (flags & CREATE) !== 0,
        exclusive: (flags & EXCLUSIVE) !== 0,
        truncates: (flags & TRUNCATE) !== 0,
      }
      return after(files.open(location, mode), opened)
    },
    fd_close: (fd: number) => {
      const descriptor = open.get(fd)
      if (!descriptor) return ERRNO.BADF
      open.delete(fd)
      descriptor.file.close()
      return 0
    },
    fd_read: (fd: number, list: number, count: number, into: number) =>
      wasi(
        transfer(fd, list, count, ({ file, position }, bytes) => file.read(bytes, position)),
        into,
      ),
    fd_write: (fd: number, list: number, count: number, into: number) =>
      wasi(
        transfer(fd, list, count, ({ file, position }, bytes) => file.write(bytes, position)),
        into,
      ),
    fd_seek: (fd: number, offset: bigint, whence: number, into: number) => {
      const descriptor = open.get(fd)
      if (!descriptor) return ERRNO.BADF
      const base = whence === 0 ? 0 : whence === 1 ? descriptor.position : descriptor.file.facts().size
      descriptor.position = base + Number(offset)
      memory().setI64(into, descriptor.position)
      return 0
    },
    fd_sync: () => 0,
    fd_fdstat_get: (_fd: number, into: number) => {
      memory().bytes.fill(0, into, into + 24)
      memory().setU8(into, 4)
      return 0
    },
    __syscall_ftruncate64: (fd: number, size: bigint) =>
      withFile(fd, ({ file }) => file.resize(Number(size))),
    __syscall_fstat64: (fd: number, at: number) => withFile(fd, ({ file }) => writeFacts(at, file.facts())),
    __syscall_stat64: stat,
    __syscall_lstat64: stat,
    __syscall_newfstatat: (fd: number, path: number, at: number, flags: number) =>
      flags & EMPTY_PATH && textAt(path) === ''
        ? withFile(fd, ({ file }) => writeFacts(at, file.facts()))
        : stat(path, at),
    __syscall_faccessat: (_folder: number, path: number, mode: number) =>
      factsOf(path, ({ writable }) => (mode & WRITE_MODE && !writable ? negativeErrno('ACCES') : 0)),
    __syscall_unlinkat: (_folder: number, path: number) => files.remove(absolute(textAt(path))),
    __syscall_fcntl64: (_fd: number, command: number, rest: number) => {
      if (command === GET_LOCK) memory().setU16(memory().u32(rest), UNLOCKED)
      return 0
    },
    __syscall_getcwd: (into: number, size: number) =>
      new TextEncoder().encode(files.cwd).length + 1 > size
        ? negativeErrno('RANGE')
        : memory().setText(into, files.cwd),
    __syscall_readlinkat: () => negativeErrno('INVAL'),
    __syscall_chmod: () => 0,
    __syscall_fchmod: () => 0,
    __syscall_fchown32: () => 0,
    __syscall_utimensat: () => 0,
    __syscall_ioctl: () => negativeErrno('NOTTY'),
    __syscall_mkdirat: () => negativeErrno('PERM'),
    __syscall_rmdir: () => negativeErrno('PERM'),
    // Maps the index of a write-ahead log. All connections of this instance share one mapping.
    _mmap_js: (
      length: number,
      _protection: number,
      _flags: number,
      fd: number,
      at: bigint,
      allocated: number,
      into: number,
    ) =>
      withFile(fd, ({ file }) => {
        const address = allocate(length)
        if (address === 0) return negativeErrno('NOMEM')
        const mapped = memory().bytes.subarray(address, address + length)
        mapped.fill(0)
        return after(file.read(mapped, Number(at)), (read) => {
          memory().setU32(allocated, 1)
          memory().setU32(into, address)
          return Math.min(read, 0)
        })
      }),
    _munmap_js: () => 0,
    environ_sizes_get: (count: number, bytes: number) => {
      memory().setU32(count, 0)
      memory().setU32(bytes, 0)
      return 0
    },
    environ_get: () => 0,
    emscripten_date_now: now,
    clock_time_get: (_clock: number, _precision: bigint, into: number) => {
      memory().setI64(into, Math.round(now() * 1e6))
      return 0
    },
    // The local time zone is UTC.
    _localtime_js: (seconds: bigint, into: number) => writeDate(memory(), Number(seconds) * 1_000, into),
    _tzset_js: (zone: number, daylight: number, standard: number, summer: number) => {
      memory().setU32(zone, 0)
      memory().setU32(daylight, 0)
      memory().setText(standard, 'UTC')
      memory().setText(summer, 'UTC')
    },
    emscripten_get_heap_max: () => 0x7fff_0000,
    emscripten_resize_heap: (wanted: number) => {
      const bytes = wanted >>> 0
      return mayGrow(bytes) && memory().grow(bytes) ? 1 : 0
    },
  }
}

/** Calls `use` with a value, which may have to be awaited. */
export function after<T, R>(value: OrPromise<T>, use: (value: T) => OrPromise<R>): OrPromise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}

function randomDevice(random: (bytes: Uint8Array) => void): SqliteOpenFile {
  return {
    facts: () => ({ kind: 'file', size: 0, inode: 0, writable: false, changedMs: 0 }),
    read(buffer) {
      random(buffer)
      return buffer.length
    },
    write: () => negativeErrno('BADF'),
    resize: () => negativeErrno('INVAL'),
    close: () => {},
  }
}

function writeDate(memory: Memory, ms: number, into: number): void {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const days = Math.floor((ms - Date.UTC(year, 0, 1)) / 86_400_000)
  const day = [date.getUTCDate(), date.getUTCMonth(), year - 1900, date.getUTCDay(), days]
  const fields = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours(), ...day, 0, 0]
  for (const [index, field] of fields.entries()) memory.setU32(into + index * 4, field)
}
