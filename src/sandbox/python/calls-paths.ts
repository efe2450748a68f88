// Calls that refer to files by path: stat, create, rename, remove, and open, which may wait for the host.

import { modeGiven } from '../file-modes.ts'
import { isInSkills } from '../read-only.ts'
import { nodeAt, locationAt } from './calls.ts'
import { ERRNO, negativeErrno } from '../wasm/errno.ts'
import { loadBytes } from '../wasm/load-bytes.ts'
import { isRemote } from '../wasm/remote-read.ts'
import { pathOf } from '../wasm/tree.ts'
import { setMode } from '../wasm/modes.ts'
import { mayRun, writeSpace, writeStat } from '../wasm/stat.ts'

import type { Calls, Current } from './calls.ts'
import type { File, Node } from '../wasm/nodes.ts'
import type { Process } from './process.ts'
import type { Tree } from '../wasm/tree.ts'

const CREATE = 0o100
const EXCLUSIVE = 0o200
const TRUNCATE = 0o1000
const DIRECTORY = 0o200000
const REMOVE_FOLDER = 0x200
const EMPTY_PATH = 0x1000
const RUN_MODE = 1
const WRITE_MODE = 2

/** Nanosecond values that mean "now" and "unchanged". */
const TIME_NOW = 1_073_741_823
const TIME_KEEP = 1_073_741_822

export function pathCalls(current: Current): Calls {
  const stat = (at: number, path: number, into: number): number => {
    const node = nodeAt(current(), at, path)
    return typeof node === 'number' ? node : writeStat(current().memory, into, node)
  }
  const withNode = (at: number, path: number, useNode: (node: Node) => number): number => {
    const node = nodeAt(current(), at, path)
    return typeof node === 'number' ? node : useNode(node)
  }
  const mayChange = (node: Node): number => (node.writable ? 0 : current().tree.readOnly(node))
  return {
    __syscall_stat64: (path: number, into: number) => stat(-100, path, into),
    __syscall_lstat64: (path: number, into: number) => stat(-100, path, into),
    __syscall_newfstatat: (at: number, path: number, into: number, flags: number) => {
      const process = current()
      if (!(flags & EMPTY_PATH) || process.memory.text(path) !== '') return stat(at, path, into)
      const open = process.files.get(at)
      return open ? writeStat(process.memory, into, open.node) : negativeErrno('BADF')
    },
    __syscall_statfs64: (path: number, _size: number, into: number) =>
      withNode(-100, path, () => writeSpace(current(), into)),
    __syscall_faccessat: (at: number, path: number, mode: number) =>
      withNode(at, path, (node) => {
        if (mode & RUN_MODE && !mayRun(node)) return negativeErrno('ACCES')
        return mode & WRITE_MODE ? mayChange(node) : 0
      }),
    __syscall_chdir: (path: number) =>
      withNode(-100, path, (node) => {
        if (node.kind !== 'folder') return negativeErrno('NOTDIR')
        current().cwd = node
        return 0
      }),
    __syscall_getcwd: (into: number, size: number) => {
      const { cwd, memory } = current()
      const path = pathOf(cwd)
      return new TextEncoder().encode(path).length + 1 > size
        ? negativeErrno('RANGE')
        : memory.setText(into, path)
    },
    __syscall_chmod: (path: number, mode: number) =>
      withNode(-100, path, (node) => setMode(current().tree, node, mode)),
    __syscall_fchmodat2: (at: number, path: number, mode: number) =>
      withNode(at, path, (node) => setMode(current().tree, node, mode)),
    __syscall_fchownat: (at: number, path: number) => withNode(at, path, mayChange),
    __syscall_mkdirat: (at: number, path: number, mode: number) => {
      const location = locationAt(current(), at, path)
      return typeof location === 'number'
        ? location
        : current().tree.makeFolder(location, modeGiven(mode, current().umask))
    },
    __syscall_rmdir: (path: number) => remove(current(), -100, path, true),
    __syscall_unlinkat: (at: number, path: number, flags: number) =>
      remove(current(), at, path, (flags & REMOVE_FOLDER) !== 0),
    __syscall_renameat: (fromAt: number, fromPath: number, toAt: number, toPath: number) => {
      const from = locationAt(current(), fromAt, fromPath)
      const to = locationAt(current(), toAt, toPath)
      if (typeof from === 'number') return from
      return typeof to === 'number' ? to : current().tree.rename(from, to)
    },
    __syscall_readlinkat: (at: number, path: number) => withNode(at, path, () => negativeErrno('INVAL')),
    __syscall_symlinkat: () => negativeErrno('PERM'),
    __syscall_truncate64: async (path: number, length: bigint) => {
      const process = current()
      const node = nodeAt(process, -100, path)
      if (typeof node === 'number') return node
      if (node.kind !== 'file') return negativeErrno('INVAL')
      if (!node.writable) return process.tree.readOnly(node)
      return (await loadBytes(process, node)) || process.tree.resize(node, Number(length))
    },
    __syscall_utimensat: (at: number, path: number, times: number) => {
      const process = current()
      const text = path === 0 ? '' : process.memory.text(path)
      const open = text === '' ? process.files.get(at)?.node : undefined
      const node = open ?? nodeAt(process, at, path)
      if (typeof node === 'number') return node
      const nanoseconds = times === 0 ? TIME_NOW : process.memory.i32(times + 24)
      if (nanoseconds === TIME_NOW) return process.tree.touch(node, null)
      if (nanoseconds === TIME_KEEP) return mayChange(node)
      return process.tree.touch(node, process.memory.i64(times + 16) * 1_000 + nanoseconds / 1e6)
    },
    // The mode is the first of the variadic arguments, which are in memory.
    __syscall_openat: (at: number, path: number, flags: number, rest: number) =>
      open(current(), at, path, flags, flags & CREATE && rest ? current().memory.i32(rest) : 0o666),
  }
}

function remove(process: Process, at: number, path: number, folders: boolean): number {
  const location = locationAt(process, at, path)
  return typeof location === 'number' ? location : process.tree.remove(location, folders)
}

/** Opens a file. Returns a promise if its bytes have to be fetched first. */
function open(
  process: Process,
  at: number,
  path: number,
  flags: number,
  mode: number,
): number | Promise<number> {
  const { tree, files } = process
  const writes = (flags & 3) !== 0
  let node = nodeAt(process, at, path)
  if (node === -ERRNO.NOENT && flags & CREATE) {
    const location = locationAt(process, at, path)
    tree.triedSkills ||= isInSkills(process.memory.text(path) ?? '')
    if (typeof location === 'number') return location
    if (location.name === '' || process.memory.text(path)?.endsWith('/')) return negativeErrno('ISDIR')
    node = tree.create(location, modeGiven(mode, process.umask))
  } else if (typeof node !== 'number' && flags & CREATE && flags & EXCLUSIVE) return negativeErrno('EXIST')
  if (typeof node === 'number') return node
  if (node.kind === 'folder') return writes ? negativeErrno('ISDIR') : files.open(node, flags)
  if (flags & DIRECTORY) return negativeErrno('NOTDIR')
  if ((writes || flags & TRUNCATE) && !node.writable)
    return node.kind === 'device' ? negativeErrno('ACCES') : tree.readOnly(node)
  if (node.kind === 'device') return files.open(node, flags)
  const file = node
  if (flags & TRUNCATE) {
    if (!file.dirty) releaseBytes(tree, file)
    const result = tree.resize(file, 0)
    return result < 0 ? result : files.open(file, flags)
  }
  if (file === process.removedOnOpen) {
    process.removedOnOpen = null
    tree.root.entries.delete(file.name)
  }
  if (file.bytes || (!writes && isRemote(file))) return files.open(file, flags)
  return loadBytes(process, file).then((result) => (result < 0 ? result : files.open(file, flags)))
}

/** Evicts the bytes of a host file that is no longer in use. */
function releaseBytes({ quota }: Tree, file: File): void {
  if (file.bytes && file.source !== null) quota.cachedBytes -= file.size
  file.bytes = new Uint8Array(0)
  file.size = 0
}
