// Calls on open files: read, write, seek, list folders, pipes and memory mapping.

import { negativeErrno } from '../wasm/errno.ts'
import { APPEND } from '../wasm/open-files.ts'
import { isRemote } from '../wasm/remote-read.ts'
import { setMode } from '../wasm/modes.ts'
import { modeOf, writeSpace, writeStat } from '../wasm/stat.ts'
import { readToBuffers, readToMemory } from './remote-files.ts'

import type { Calls, Current } from './calls.ts'
import type { Folder, Node } from '../wasm/nodes.ts'
import type { OpenFile } from '../wasm/open-files.ts'
import type { Tree } from '../wasm/tree.ts'

/** The size of a directory entry in this libc. */
const ENTRY_BYTES = 280
const POLL_IN = 1
const POLL_OUT = 4
const POLL_BAD = 32

/** The parts of the instance that these calls use. */
export interface Allocator {
  memalign(alignment: number, bytes: number): number
}

export function fileCalls(current: Current, allocator: () => Allocator): Calls {
  const withOpen = <R extends number | Promise<number>>(
    fd: number,
    useFile: (open: OpenFile) => R | number,
  ): R | number => {
    const open = current().files.get(fd)
    return open ? useFile(open) : negativeErrno('BADF')
  }
  // WASI's calls return a positive error number and write their result through a pointer.
  const wasiResult = (result: number, answer?: (value: number) => void): number => {
    if (result < 0) return -result
    answer?.(result)
    return 0
  }
  const eachBuffer = (
    fd: number,
    list: number,
    count: number,
    each: (open: OpenFile, bytes: Uint8Array, done: number) => number,
  ): number =>
    withOpen(fd, (open) => {
      const { memory } = current()
      let done = 0
      for (let index = 0; index < count; index += 1) {
        const [at, length] = [memory.u32(list + index * 8), memory.u32(list + index * 8 + 4)]
        const result = each(open, memory.bytes.subarray(at, at + length), done)
        if (result < 0) return done > 0 ? done : result
        done += result
        if (result < length) break
      }
      return done
    })
  const read = (fd: number, list: number, count: number, at: number | null): number | Promise<number> => {
    const open = current().files.get(fd)
    if (open?.readable && isRemote(open.node))
      return readToBuffers(current(), open, open.node, list, count, at)
    return eachBuffer(fd, list, count, (open, bytes, done) =>
      current().files.read(open, bytes, at === null ? null : at + done),
    )
  }
  const write = (fd: number, list: number, count: number, at: number | null): number =>
    eachBuffer(fd, list, count, (open, bytes, done) => {
      current().meter.charge(bytes.length)
      return current().files.write(open, bytes, at === null ? null : at + done)
    })
  const writeResultTo =
    (pointer: number) =>
    (value: number): void =>
      current().memory.setU32(pointer, value)
  const afterRead = (result: number | Promise<number>, into: number): number | Promise<number> =>
    typeof result === 'number'
      ? wasiResult(result, writeResultTo(into))
      : result.then((done) => wasiResult(done, writeResultTo(into)))
  return {
    fd_read: (fd: number, list: number, count: number, into: number) =>
      afterRead(read(fd, list, count, null), into),
    fd_pread: (fd: number, list: number, count: number, at: bigint, into: number) =>
      afterRead(read(fd, list, count, Number(at)), into),
    fd_write: (fd: number, list: number, count: number, into: number) =>
      wasiResult(write(fd, list, count, null), writeResultTo(into)),
    fd_pwrite: (fd: number, list: number, count: number, at: bigint, into: number) =>
      wasiResult(write(fd, list, count, Number(at)), writeResultTo(into)),
    fd_close: (fd: number) => wasiResult(current().files.close(fd)),
    fd_sync: (fd: number) => wasiResult(withOpen(fd, () => 0)),
    fd_seek: (fd: number, offset: bigint, whence: number, into: number) =>
      wasiResult(
        withOpen(fd, (open) => current().files.seek(open, Number(offset), whence)),
        (position) => current().memory.setI64(into, position),
      ),
    fd_fdstat_get: (fd: number, into: number) =>
      wasiResult(
        withOpen(fd, ({ node }) => {
          current().memory.bytes.fill(0, into, into + 24)
          current().memory.setU8(into, node.kind === 'folder' ? 3 : 4)
          return 0
        }),
      ),
    __syscall_fstat64: (fd: number, into: number) =>
      withOpen(fd, ({ node }) => writeStat(current().memory, into, node)),
    __syscall_fstatfs64: (fd: number, _size: number, into: number) =>
      withOpen(fd, () => writeSpace(current(), into)),
    __syscall_ftruncate64: (fd: number, length: bigint) =>
      withOpen(fd, ({ node, writable }) =>
        node.kind === 'file' && writable
          ? current().tree.resize(node, Number(length))
          : negativeErrno('INVAL'),
      ),
    __syscall_fchmod: (fd: number, mode: number) =>
      withOpen(fd, ({ node }) => setMode(current().tree, node, mode)),
    __syscall_fchown32: (fd: number) => withOpen(fd, ({ node }) => mayChange(current().tree, node)),
    __syscall_fdatasync: (fd: number) => withOpen(fd, () => 0),
    __syscall_fadvise64: () => 0,
    __syscall_fchdir: (fd: number) =>
      withOpen(fd, ({ node }) => {
        if (node.kind !== 'folder') return negativeErrno('NOTDIR')
        current().cwd = node
        return 0
      }),
    __syscall_dup3: (from: number, to: number) => current().files.duplicate(from, to),
    __syscall_fcntl64: (fd: number, command: number, rest: number) =>
      withOpen(fd, (open) =>
        control(
          open,
          command,
          () => current().memory.i32(rest),
          (from) => current().files.add(open, from),
        ),
      ),
    // No descriptor is a terminal.
    __syscall_ioctl: (fd: number) => withOpen(fd, () => negativeErrno('NOTTY')),
    __syscall_pipe: (into: number) => {
      const { tree, files, memory } = current()
      const node = tree.device('/dev/.pipe', 'pipe', true)
      node.parent?.entries.delete(node.name)
      const [first, second] = files.pipe(node)
      if (first < 0 || second < 0) return negativeErrno('MFILE')
      memory.setU32(into, first)
      memory.setU32(into + 4, second)
      return 0
    },
    __syscall_poll: (list: number, count: number) => {
      const { files, memory } = current()
      let ready = 0
      for (let at = list; at < list + count * 8; at += 8) {
        const requestedEvents = memory.i16(at + 4)
        const events = files.get(memory.i32(at)) ? requestedEvents & (POLL_IN | POLL_OUT) : POLL_BAD
        memory.setU16(at + 6, events)
        if (events) ready += 1
      }
      return ready
    },
    __syscall_getdents64: (fd: number, into: number, bytes: number) =>
      withOpen(fd, (open) =>
        open.node.kind === 'folder' ? list(open, open.node, into, bytes) : negativeErrno('NOTDIR'),
      ),
    _mmap_js: (
      length: number,
      protection: number,
      flags: number,
      fd: number,
      at: bigint,
      allocated: number,
      into: number,
    ) =>
      withOpen(fd, (open) => {
        if (open.node.kind !== 'file') return negativeErrno('NODEV')
        if (protection & 2 && !(flags & 2) && !open.writable) return negativeErrno('ACCES')
        const address = allocator().memalign(65_536, Math.ceil(length / 65_536) * 65_536)
        if (address === 0) return negativeErrno('NOMEM')
        const { memory, files } = current()
        memory.bytes.fill(0, address, address + length)
        const mapped = (done: number): number => {
          if (done < 0) return done
          memory.setU32(allocated, 1)
          memory.setU32(into, address)
          return 0
        }
        if (open.readable && isRemote(open.node))
          return readToMemory(current(), open, open.node, address, length, Number(at)).then(mapped)
        return mapped(files.read(open, memory.bytes.subarray(address, address + length), Number(at)))
      }),
    _msync_js: (address: number, length: number, protection: number, flags: number, fd: number, at: bigint) =>
      writeBack(address, length, protection, flags, fd, at),
    _munmap_js: (
      address: number,
      length: number,
      protection: number,
      flags: number,
      fd: number,
      at: bigint,
    ) => writeBack(address, length, protection, flags, fd, at),
  }

  /** Writes a shared mapping back to its file, up to the end of the file. */
  function writeBack(
    address: number,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    at: bigint,
  ): number {
    return withOpen(fd, (open) => {
      const { memory, files } = current()
      if (!(protection & 2) || flags & 2 || !open.writable || open.node.kind !== 'file') return 0
      const bytes = Math.min(length, Math.max(0, open.node.size - Number(at)))
      const done = files.write(open, memory.bytes.subarray(address, address + bytes), Number(at))
      return done < 0 ? done : 0
    })
  }

  function list(open: OpenFile, folder: Folder, into: number, bytes: number): number {
    const { memory } = current()
    open.names ??= ['.', '..', ...folder.entries.keys()]
    let index = Math.floor(open.position / ENTRY_BYTES)
    let at = into
    for (; index < open.names.length && at + ENTRY_BYTES <= into + bytes; index += 1) {
      const name = open.names[index] ?? ''
      const node =
        name === '.' ? folder : name === '..' ? (folder.parent ?? folder) : folder.entries.get(name)
      if (!node) continue
      memory.setI64(at, node.inode)
      memory.setI64(at + 8, (index + 1) * ENTRY_BYTES)
      memory.setU16(at + 16, ENTRY_BYTES)
      memory.setU8(at + 18, modeOf(node) >> 12)
      memory.setText(at + 19, name)
      at += ENTRY_BYTES
    }
    open.position = index * ENTRY_BYTES
    return at - into
  }
}

function mayChange(tree: Tree, node: Node): number {
  return node.writable ? 0 : tree.readOnly(node)
}

function control(
  open: OpenFile,
  command: number,
  argument: () => number,
  copy: (from: number) => number,
): number {
  switch (command) {
    case 0: // F_DUPFD
    case 1030: // F_DUPFD_CLOEXEC
      return argument() < 0 ? negativeErrno('INVAL') : copy(argument())
    case 3: // F_GETFL
      return open.flags
    case 4: // F_SETFL
      open.flags = (open.flags & ~APPEND) | (argument() & APPEND)
      return 0
    case 1: // F_GETFD
    case 2: // F_SETFD
    case 12: // locks: there is no other process
    case 13:
    case 14:
      return 0
    default:
      return negativeErrno('INVAL')
  }
}
