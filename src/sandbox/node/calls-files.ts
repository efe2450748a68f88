// The file calls of a guest, such as stat, read, write, rename and remove. The tree checks permissions.

import { isInSkills } from '../read-only.ts'
import { ERRNO, negativeErrno } from '../wasm/errno.ts'
import { APPEND, sizeOf } from '../wasm/open-files.ts'
import { modeOf } from '../wasm/stat.ts'
import { pathOf } from '../wasm/tree.ts'
import { bytesOf } from './call.ts'
import { failureOf } from './errors.ts'

import type { File, Folder, Node } from '../wasm/nodes.ts'
import type { CallResult, HostCall } from './call.ts'
import type { Room } from './surroundings.ts'
import type { Value } from './values.ts'

/** The flags of POSIX `open`. */
const FLAG = { write: 1, both: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000 }
/** How much one read of a device returns, because /dev/zero is endless. */
const DEVICE_READ_BYTES = 65_536

export function fileCalls(room: Room): Record<string, HostCall> {
  const { tree, files } = room
  const find = (path: Value | undefined): Node | number => tree.find(room.cwd, String(path))
  const on = (path: Value | undefined, then: (node: Node) => CallResult): CallResult => {
    const node = find(path)
    return typeof node === 'number' ? refused(node) : then(node)
  }
  return {
    stat: (path) => on(path, statOf),
    fstat: (fd) => {
      const open = files.get(Number(fd))
      return open ? statOf(open.node) : refused(negativeErrno('BADF'))
    },
    list: (path) =>
      on(path, (node) => (node.kind === 'folder' ? listOf(node) : refused(negativeErrno('NOTDIR')))),
    realpath: (path) => on(path, (node) => pathOf(node) || '/'),
    writable: (path) => on(path, (node) => (node.writable ? 1 : refused(tree.readOnly(node)))),
    mkdir: (path, recursive) => done(makeFolder(room, String(path), recursive === 1)),
    rmdir: (path) => remove(room, path, true),
    unlink: (path) => remove(room, path, false),
    rename: (from, to) => {
      const [old, fresh] = [tree.locate(room.cwd, String(from)), tree.locate(room.cwd, String(to))]
      if (typeof old === 'number') return refused(old)
      return typeof fresh === 'number' ? refused(fresh) : done(tree.rename(old, fresh))
    },
    touch: (path, ms) =>
      on(path, (node) => {
        if (!node.writable) return refused(tree.readOnly(node))
        tree.touch(node, Number(ms))
        return undefined
      }),
    chdir: (path) =>
      on(path, (node) => {
        if (node.kind !== 'folder') return refused(negativeErrno('NOTDIR'))
        room.cwd = node
        return undefined
      }),
    cwd: () => pathOf(room.cwd) || '/',
    open: (path, flags) => opened(room, String(path), Number(flags)),
    close: (fd) => done(files.close(Number(fd))),
    read: (fd, length, at) => {
      const open = files.get(Number(fd))
      if (!open) return refused(negativeErrno('BADF'))
      const most = open.node.kind === 'file' ? open.node.size : DEVICE_READ_BYTES
      const into = new Uint8Array(Math.max(0, Math.min(Number(length), most)))
      const count = files.read(open, into, typeof at === 'number' ? at : null)
      return count < 0 ? refused(count) : into.subarray(0, count)
    },
    put: (fd, data, at) => {
      const open = files.get(Number(fd))
      if (!open) return refused(negativeErrno('BADF'))
      const bytes = bytesOf(data)
      room.meter.charge(bytes.length >>> 4)
      const count = files.write(open, bytes, typeof at === 'number' ? at : null)
      return count < 0 ? refused(count) : count
    },
    truncate: (fd, length) => {
      const open = files.get(Number(fd))
      if (!open?.writable || open.node.kind !== 'file') return refused(negativeErrno(open ? 'INVAL' : 'BADF'))
      return done(tree.resize(open.node, Math.max(0, Number(length))))
    },
    stdin: () => room.stdin,
  }
}

function refused(result: number): CallResult {
  return { failed: failureOf(result) }
}

function done(result: number): CallResult {
  return result < 0 ? refused(result) : undefined
}

function statOf(node: Node): string {
  const { inode, changedMs, kind } = node
  return JSON.stringify({ kind, mode: modeOf(node), size: sizeOf(node), inode, changedMs })
}

function listOf(folder: Folder): string {
  const entries = [...folder.entries.values()].map(({ name, kind }) => [name, kind] as const)
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function makeFolder(room: Room, path: string, recursive: boolean): number {
  const location = room.tree.locate(room.cwd, path)
  if (typeof location !== 'number') {
    const there = location.name === '' ? location.folder : location.folder.entries.get(location.name)
    return recursive && there?.kind === 'folder' ? 0 : room.tree.makeFolder(location)
  }
  const above = path.replace(/\/+[^/]*\/*$/, '')
  if (!recursive || location !== -ERRNO.NOENT || above === '' || above === path) return location
  const made = makeFolder(room, above, true)
  return made < 0 ? made : makeFolder(room, path, false)
}

function remove({ tree, cwd }: Room, path: Value | undefined, folders: boolean): CallResult {
  const location = tree.locate(cwd, String(path))
  return typeof location === 'number' ? refused(location) : done(tree.remove(location, folders))
}

/** Opens the file at `path`. Returns a promise if its bytes have to be fetched first. */
function opened(room: Room, path: string, flags: number): CallResult | Promise<CallResult> {
  const { tree, files } = room
  const writes = (flags & 3) !== 0
  const number = (result: number): CallResult => (result < 0 ? refused(result) : result)
  let node = tree.find(room.cwd, path)
  if (node === -ERRNO.NOENT && flags & FLAG.create) {
    const location = tree.locate(room.cwd, path)
    tree.triedSkills ||= isInSkills(path)
    if (typeof location === 'number') return refused(location)
    if (location.name === '' || path.endsWith('/')) return refused(negativeErrno('ISDIR'))
    node = tree.create(location)
  } else if (typeof node !== 'number' && flags & FLAG.create && flags & FLAG.exclusive)
    return refused(negativeErrno('EXIST'))
  if (typeof node === 'number') return refused(node)
  if (node.kind === 'folder')
    return writes ? refused(negativeErrno('ISDIR')) : number(files.open(node, flags))
  if (writes && !node.writable)
    return refused(node.kind === 'device' ? negativeErrno('ACCES') : tree.readOnly(node))
  if (node.kind === 'device') return number(files.open(node, flags))
  const file = node
  if (flags & FLAG.truncate) {
    file.bytes = file.bytes && file.dirty ? file.bytes : new Uint8Array(0)
    if (!file.dirty) file.size = 0
    const result = tree.resize(file, 0)
    return number(result < 0 ? result : files.open(file, flags & (3 | APPEND)))
  }
  if (file.bytes) return number(files.open(file, flags))
  return brought(room, file).then((result) => number(result < 0 ? result : files.open(file, flags)))
}

/** Fetches the bytes of a file. Returns 0 or a negative error number. */
async function brought(room: Room, file: File): Promise<number> {
  if (file.source === null) return negativeErrno('IO')
  const { quota } = room.tree
  const full = (): boolean => quota.bytes + quota.cachedBytes + file.size > quota.maxMemoryBytes
  if (full()) letGo(room)
  if (full()) return negativeErrno('NOMEM')
  const bytes = await room.meter.within(room.fetch(file.source))
  if (!bytes) return negativeErrno('NOENT')
  file.bytes = bytes
  file.size = bytes.length
  quota.cachedBytes += bytes.length
  return 0
}

/** Evicts the bytes of files that are neither open nor changed, because they can be fetched again. */
function letGo({ tree, files }: Room): void {
  const waiting = [tree.root]
  for (let folder = waiting.pop(); folder; folder = waiting.pop())
    for (const node of folder.entries.values())
      if (node.kind === 'folder') waiting.push(node)
      else if (
        node.kind === 'file' &&
        node.source !== null &&
        !node.dirty &&
        node.openCount === 0 &&
        node.bytes
      )
        files.evict(node)
}
