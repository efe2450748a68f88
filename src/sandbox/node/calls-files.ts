// The file calls of a guest, such as stat, read, write, rename and remove. The tree checks permissions.

import { modeGiven } from '../file-modes.ts'
import { isInSkills } from '../read-only.ts'
import { ERRNO, negativeErrno } from '../wasm/errno.ts'
import { integer } from '../wasm/guest-numbers.ts'
import { APPEND, sizeOf } from '../wasm/open-files.ts'
import { loadBytes } from '../wasm/load-bytes.ts'
import { isRemote, readRemote } from '../wasm/remote-read.ts'
import { setMode } from '../wasm/modes.ts'
import { mayRun, modeOf } from '../wasm/stat.ts'
import { pathOf } from '../wasm/tree.ts'
import { bytesOf } from './call/call.ts'
import { failureOf } from './call/errors.ts'

import type { Folder, Node } from '../wasm/nodes.ts'
import type { OpenFile } from '../wasm/open-files.ts'
import type { CallResult, HostCall } from './call/call.ts'
import type { NodeRun } from './call/node-run.ts'
import type { Value } from './call/values.ts'

/** The flags of POSIX `open`. */
const FLAG = { write: 1, both: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000 }
/** Maximum number of bytes that one read of a device returns, because /dev/zero is endless. */
const DEVICE_READ_BYTES = 65_536
const BITS_MAX = 0xffff_ffff
/** Listing an entry takes about 0.5 µs. */
const STEPS_PER_ENTRY = 256

export function fileCalls(run: NodeRun): Record<string, HostCall> {
  const { tree, files } = run
  const find = (path: Value | undefined): Node | number => tree.find(run.cwd, String(path))
  const withNode = (path: Value | undefined, useNode: (node: Node) => CallResult): CallResult => {
    const node = find(path)
    return typeof node === 'number' ? failure(node) : useNode(node)
  }
  const withOpen = <R extends CallResult | Promise<CallResult>>(
    fd: Value | undefined,
    useFile: (open: OpenFile) => R,
  ): R | CallResult => {
    const open = typeof fd === 'number' ? files.get(fd) : undefined
    return open ? useFile(open) : failure(negativeErrno('BADF'))
  }
  const setTime = (node: Node, ms: Value | undefined): CallResult =>
    resultOf(typeof ms === 'number' ? tree.touch(node, ms) : negativeErrno('INVAL'))
  const chmod = (node: Node, mode: Value | undefined): CallResult => {
    const bits = bitsOf(mode)
    return resultOf(bits === null ? negativeErrno('INVAL') : setMode(tree, node, bits))
  }
  return {
    stat: (path) => withNode(path, statOf),
    fstat: (fd) => withOpen(fd, ({ node }) => statOf(node)),
    ftouch: (fd, ms) => withOpen(fd, ({ node }) => setTime(node, ms)),
    list: (path) =>
      withNode(path, (node) => {
        if (node.kind !== 'folder') return failure(negativeErrno('NOTDIR'))
        run.meter.charge(node.entries.size * STEPS_PER_ENTRY)
        return listOf(node)
      }),
    realpath: (path) => withNode(path, (node) => pathOf(node) || '/'),
    writable: (path) => withNode(path, (node) => (node.writable ? 1 : failure(tree.readOnly(node)))),
    runnable: (path) => withNode(path, (node) => (mayRun(node) ? 1 : failure(negativeErrno('ACCES')))),
    chmod: (path, mode) => withNode(path, (node) => chmod(node, mode)),
    fchmod: (fd, mode) => withOpen(fd, ({ node }) => chmod(node, mode)),
    mkdir: (path, recursive, mode) => {
      const bits = bitsOf(mode)
      if (bits === null) return failure(negativeErrno('INVAL'))
      return resultOf(makeFolder(run, String(path), recursive === 1, modeGiven(bits, run.umask)))
    },
    rmdir: (path) => remove(run, path, true),
    unlink: (path) => remove(run, path, false),
    rename: (from, to) => {
      const source = tree.locate(run.cwd, String(from))
      const target = tree.locate(run.cwd, String(to))
      if (typeof source === 'number') return failure(source)
      return typeof target === 'number' ? failure(target) : resultOf(tree.rename(source, target))
    },
    touch: (path, ms) => withNode(path, (node) => setTime(node, ms)),
    chdir: (path) =>
      withNode(path, (node) => {
        if (node.kind !== 'folder') return failure(negativeErrno('NOTDIR'))
        run.cwd = node
        return undefined
      }),
    umask: (mask) => {
      const before = run.umask
      if (typeof mask === 'number') run.umask = mask & 0o777
      return before
    },
    cwd: () => pathOf(run.cwd) || '/',
    open: (path, flags, mode) => {
      const [flagBits, bits] = [bitsOf(flags), bitsOf(mode)]
      if (flagBits === null || bits === null) return failure(negativeErrno('INVAL'))
      return openFile(run, String(path), flagBits, modeGiven(bits, run.umask))
    },
    close: (fd) => resultOf(typeof fd === 'number' ? files.close(fd) : negativeErrno('BADF')),
    read: (fd, length, offset) =>
      withOpen(fd, (open): CallResult | Promise<CallResult> => {
        const [most, from] = [positionOf(length), positionOf(offset)]
        if (most === null) return failure(negativeErrno('INVAL'))
        if (open.readable && isRemote(open.node))
          return readRemote(run, open, open.node, most, from).then((bytes) =>
            typeof bytes === 'number' ? failure(bytes) : bytes,
          )
        const maxLength = open.node.kind === 'file' ? open.node.size : DEVICE_READ_BYTES
        const buffer = new Uint8Array(Math.min(most, maxLength))
        const count = files.read(open, buffer, from)
        return count < 0 ? failure(count) : buffer.subarray(0, count)
      }),
    put: (fd, data, offset) =>
      withOpen(fd, (open) => {
        const bytes = bytesOf(data)
        run.meter.charge(bytes.length >>> 4)
        const count = files.write(open, bytes, positionOf(offset))
        return count < 0 ? failure(count) : count
      }),
    truncate: (fd, length) =>
      withOpen(fd, ({ node, writable }) => {
        const size = positionOf(length)
        if (!writable || node.kind !== 'file' || size === null) return failure(negativeErrno('INVAL'))
        return resultOf(tree.resize(node, size))
      }),
    stdin: () => run.stdin,
  }
}

/** A size or a position. Null means the current position, as in Node for everything that is none. */
function positionOf(value: Value | undefined): number | null {
  return integer(value, 0, Number.MAX_SAFE_INTEGER)
}

/** Flags, or the bits of a mode. */
function bitsOf(value: Value | undefined): number | null {
  return integer(value, 0, BITS_MAX)
}

function failure(result: number): CallResult {
  return { failed: failureOf(result) }
}

function resultOf(result: number): CallResult {
  return result < 0 ? failure(result) : undefined
}

function statOf(node: Node): string {
  const { inode, changedMs, kind } = node
  return JSON.stringify({ kind, mode: modeOf(node), size: sizeOf(node), inode, changedMs })
}

function listOf(folder: Folder): string {
  const entries = [...folder.entries.values()].map(({ name, kind }) => [name, kind] as const)
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function makeFolder(run: NodeRun, path: string, recursive: boolean, mode: number | null): number {
  const location = run.tree.locate(run.cwd, path)
  if (typeof location !== 'number') {
    const existing = location.name === '' ? location.folder : location.folder.entries.get(location.name)
    return recursive && existing?.kind === 'folder' ? 0 : run.tree.makeFolder(location, mode)
  }
  const parent = path.replace(/\/+[^/]*\/*$/, '')
  if (!recursive || location !== -ERRNO.NOENT || parent === '' || parent === path) return location
  const result = makeFolder(run, parent, true, mode)
  return result < 0 ? result : makeFolder(run, path, false, mode)
}

function remove({ tree, cwd }: NodeRun, path: Value | undefined, folders: boolean): CallResult {
  const location = tree.locate(cwd, String(path))
  return typeof location === 'number' ? failure(location) : resultOf(tree.remove(location, folders))
}

/** Opens the file at `path`. Returns a promise if its bytes have to be fetched first. */
function openFile(
  run: NodeRun,
  path: string,
  flags: number,
  mode: number | null,
): CallResult | Promise<CallResult> {
  const { tree, files } = run
  const writes = (flags & 3) !== 0
  const number = (result: number): CallResult => (result < 0 ? failure(result) : result)
  let node = tree.find(run.cwd, path)
  if (node === -ERRNO.NOENT && flags & FLAG.create) {
    const location = tree.locate(run.cwd, path)
    tree.triedSkills ||= isInSkills(path)
    if (typeof location === 'number') return failure(location)
    if (location.name === '' || path.endsWith('/')) return failure(negativeErrno('ISDIR'))
    node = tree.create(location, mode)
  } else if (typeof node !== 'number' && flags & FLAG.create && flags & FLAG.exclusive)
    return failure(negativeErrno('EXIST'))
  if (typeof node === 'number') return failure(node)
  if (node.kind === 'folder')
    return writes ? failure(negativeErrno('ISDIR')) : number(files.open(node, flags))
  // Also a file that is opened for reading can be truncated.
  if ((writes || flags & FLAG.truncate) && !node.writable)
    return failure(node.kind === 'device' ? negativeErrno('ACCES') : tree.readOnly(node))
  if (node.kind === 'device') return number(files.open(node, flags))
  const file = node
  if (flags & FLAG.truncate) {
    file.bytes = file.bytes && file.dirty ? file.bytes : new Uint8Array(0)
    if (!file.dirty) file.size = 0
    const result = tree.resize(file, 0)
    return number(result < 0 ? result : files.open(file, flags & (3 | APPEND)))
  }
  if (file.bytes || (!writes && isRemote(file))) return number(files.open(file, flags))
  return loadBytes(run, file).then((result) => number(result < 0 ? result : files.open(file, flags)))
}
