// The file tree that a guest sees, in memory: paths and permissions. A failure is a negative error number, as in the
// calls that use the tree. Open files are in open-files.ts.

import { modeOfStoredFile, NEW_FILE_MODE } from '../file-modes.ts'
import { isInSkills } from '../read-only.ts'
import { negativeErrno } from './errno.ts'
import { isFilePosition, isTime } from './guest-numbers.ts'
import { grownCapacity } from './quota.ts'

import type { Device, File, ContentSource, Folder, Node } from './nodes.ts'
import type { Quota } from './quota.ts'

/** Limits for names and paths, as in POSIX. */
const NAME_MAX_BYTES = 255
const PATH_MAX_BYTES = 4096

/** Folders that a guest may change and whose changes are stored. Changes in `/tmp` are not stored. */
export const STORED_ROOTS: readonly string[] = [
  '/mnt/user-data/uploads',
  '/mnt/user-data/workspace',
  '/mnt/user-data/outputs',
]
/** Folders that a program and its calling shell share. */
export const SHARED_ROOTS: readonly string[] = [...STORED_ROOTS, '/tmp']

/** The folder that contains a name, or would contain it. */
export interface NodeLocation {
  readonly folder: Folder
  readonly name: string
}

export class Tree {
  readonly root: Folder
  readonly quota: Quota
  readonly #now: () => number
  /** Whether the guest tried to write below /mnt/skills, which is explained if the script fails. */
  triedSkills = false
  #inodes = 0
  readonly timed = new Set<Node>() // Nodes whose time was set, and that have not changed since.

  constructor(quota: Quota, now: () => number) {
    this.quota = quota
    this.#now = now
    this.root = this.#folder(null, '', false)
    for (const root of SHARED_ROOTS) this.folders(root, true)
  }

  #folder(parent: Folder | null, name: string, writable: boolean): Folder {
    const folder: Folder = {
      kind: 'folder',
      inode: (this.#inodes += 1),
      writable,
      entries: new Map(),
      parent,
      name,
      changedMs: this.#now(),
      mode: null,
    }
    parent?.entries.set(name, folder)
    return folder
  }

  /** Creates the folder at `path` and its missing parents for the host, without checking permissions. */
  folders(path: string, writable = false): Folder {
    let folder = this.root
    const names = path.split('/').filter((name) => name !== '')
    names.forEach((name, index) => {
      const next = folder.entries.get(name)
      const isWritable = (writable && index === names.length - 1) || folder.writable
      folder = next?.kind === 'folder' ? next : this.#folder(folder, name, isWritable)
    })
    return folder
  }

  /** Adds a file with its bytes, or with the handle and size of its content. Replaces an existing file. */
  put(
    path: string,
    content: { bytes: Uint8Array } | { source: ContentSource; size: number; writable: boolean },
  ): File {
    const slash = path.lastIndexOf('/')
    const folder = this.folders(path.slice(0, slash))
    const remote = 'source' in content ? content : null
    const bytes = 'bytes' in content ? content.bytes : null
    const writable = folder.writable && (remote?.writable ?? true)
    const size = remote?.size ?? bytes?.length ?? 0
    return this.#file(folder, path.slice(slash + 1), writable, bytes, remote?.source ?? null, size)
  }

  device(path: string, device: Device['device'], writable: boolean): Device {
    const slash = path.lastIndexOf('/')
    const parent = this.folders(path.slice(0, slash))
    const name = path.slice(slash + 1)
    const [inode, changedMs] = [(this.#inodes += 1), this.#now()]
    const node: Device = { kind: 'device', inode, device, writable, parent, name, changedMs }
    parent.entries.set(name, node)
    return node
  }

  #file(
    parent: Folder,
    name: string,
    writable: boolean,
    bytes: Uint8Array | null,
    source: ContentSource | null,
    size: number,
  ): File {
    const file: File = {
      kind: 'file',
      inode: (this.#inodes += 1),
      writable,
      parent,
      name,
      changedMs: this.#now(),
      mode: null,
      size,
      bytes,
      source,
      pack: null,
      dirty: false,
      isReported: false,
      openCount: 0,
    }
    parent.entries.set(name, file)
    return file
  }

  /** The node at `path`, which may be relative to `from`. */
  find(from: Folder, path: string): Node | number {
    const location = this.locate(from, path)
    if (typeof location === 'number') return location
    if (location.name === '') return location.folder
    const node = location.folder.entries.get(location.name)
    if (!node) return negativeErrno('NOENT')
    return path.endsWith('/') && node.kind !== 'folder' ? negativeErrno('NOTDIR') : node
  }

  /** The folder and the last name of `path`; the name is empty if the path ends in `.` or `..`. */
  locate(from: Folder, path: string): NodeLocation | number {
    if (path === '') return negativeErrno('NOENT')
    if (path.length > PATH_MAX_BYTES) return negativeErrno('NAMETOOLONG')
    let folder = path.startsWith('/') ? this.root : from
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const last = names.length - 1
    for (const [index, name] of names.entries()) {
      if (name === '..') {
        folder = folder.parent ?? folder
        continue
      }
      if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return negativeErrno('NAMETOOLONG')
      if (index === last) return { folder, name }
      const next = folder.entries.get(name)
      if (!next) return negativeErrno('NOENT')
      if (next.kind !== 'folder') return negativeErrno('NOTDIR')
      folder = next
    }
    return { folder, name: '' }
  }

  /** Creates an empty file for the guest, with the usual mode if `mode` is null. */
  create({ folder, name }: NodeLocation, mode: number | null = null): File | number {
    const result = this.#mayAdd(folder)
    if (result < 0) return result
    const file = this.#file(folder, name, true, new Uint8Array(0), null, 0)
    file.mode = mode ?? NEW_FILE_MODE
    file.dirty = true
    folder.changedMs = file.changedMs
    return file
  }

  makeFolder({ folder, name }: NodeLocation, mode: number | null = null): number {
    if (name === '' || folder.entries.has(name)) return negativeErrno('EXIST')
    const result = this.#mayAdd(folder)
    if (result < 0) return result
    this.#folder(folder, name, true).mode = mode
    return 0
  }

  #mayAdd(folder: Folder): number {
    if (!folder.writable) return this.readOnly(folder)
    if (this.quota.files >= this.quota.maxFiles) {
      this.quota.wasRefused = true
      return negativeErrno('NOSPC')
    }
    this.quota.files += 1
    return 0
  }

  /** Removes a file or, with `folders`, an empty folder. Open descriptors remain valid. */
  remove({ folder, name }: NodeLocation, folders: boolean): number {
    const node = folder.entries.get(name)
    if (!node) return negativeErrno(name === '' ? 'BUSY' : 'NOENT')
    if (folders !== (node.kind === 'folder')) return negativeErrno(folders ? 'NOTDIR' : 'ISDIR')
    if (!folder.writable || !node.writable) return this.readOnly(folder)
    if (node.kind === 'folder' && (node.entries.size > 0 || isRoot(node))) return negativeErrno('NOTEMPTY')
    this.#detach(node)
    return 0
  }

  #detach(node: Node): void {
    node.parent?.entries.delete(node.name)
    if (node.parent) node.parent.changedMs = this.#now()
    node.parent = null
    this.quota.files = Math.max(0, this.quota.files - 1)
    if (node.kind === 'file' && node.openCount === 0) this.release(node)
  }

  /** Frees the space of a file that has neither a name nor an open descriptor. */
  release(file: File): void {
    if (file.parent || !file.bytes) return
    if (file.dirty) this.quota.bytes -= file.size
    else if (file.source !== null) this.quota.cachedBytes -= file.size
    file.bytes = new Uint8Array(0)
    file.size = 0
  }

  rename(from: NodeLocation, to: NodeLocation): number {
    const node = from.folder.entries.get(from.name)
    if (!node) return negativeErrno(from.name === '' ? 'BUSY' : 'NOENT')
    if (!from.folder.writable || !node.writable) return this.readOnly(from.folder)
    if (!to.folder.writable) return this.readOnly(to.folder)
    if (to.name === '' || (node.kind === 'folder' && isRoot(node))) return negativeErrno('BUSY')
    for (let ancestor: Folder | null = to.folder; ancestor; ancestor = ancestor.parent)
      if (ancestor === node) return negativeErrno('INVAL')
    const existing = to.folder.entries.get(to.name)
    if (existing === node) return 0
    if (existing) {
      if (!existing.writable) return this.readOnly(existing)
      if (existing.kind === 'folder' && node.kind !== 'folder') return negativeErrno('ISDIR')
      if (existing.kind !== 'folder' && node.kind === 'folder') return negativeErrno('NOTDIR')
      if (existing.kind === 'folder' && existing.entries.size > 0) return negativeErrno('NOTEMPTY')
      this.#detach(existing)
    }
    // The default mode depends on the name, but a file keeps its mode.
    if (node.kind === 'file' && modeOfStoredFile(from.name) !== modeOfStoredFile(to.name))
      node.mode ??= modeOfStoredFile(from.name)
    from.folder.entries.delete(from.name)
    to.folder.entries.set(to.name, node)
    node.parent = to.folder
    node.name = to.name
    from.folder.changedMs = to.folder.changedMs = this.#now()
    return 0
  }

  /** Resizes a file whose bytes are in memory; new bytes are zero. */
  resize(file: File, size: number): number {
    const { quota } = this
    if (!file.writable) return this.readOnly(file)
    if (!isFilePosition(size)) return negativeErrno('INVAL')
    if (!file.bytes) return negativeErrno('IO')
    // After its first change, a file of the host counts with its full size, because it is stored completely.
    const addedBytes = file.dirty ? size - file.size : size
    const cachedBytes = file.dirty || file.source === null ? quota.cachedBytes : quota.cachedBytes - file.size
    const bytes = quota.bytes + addedBytes
    if (bytes > quota.maxBytes || bytes + cachedBytes > quota.maxMemoryBytes) {
      quota.wasRefused = true
      return negativeErrno('NOSPC')
    }
    quota.bytes = bytes
    quota.cachedBytes = cachedBytes
    if (size > file.bytes.length || !file.dirty) {
      const capacity = size > file.bytes.length ? Math.max(size, grownCapacity(file.bytes.length), 256) : size
      const resized = new Uint8Array(Math.min(capacity, Math.max(size, quota.maxBytes)))
      resized.set(file.bytes.subarray(0, Math.min(file.size, size)))
      file.bytes = resized
    } else if (size < file.bytes.length / 2) file.bytes = file.bytes.slice(0, size)
    else if (size < file.size) file.bytes.fill(0, size, file.size)
    file.size = size
    file.dirty = true
    file.isReported = false
    this.touch(file, null)
    return 0
  }

  /** The error for a node that the guest may not change. */
  readOnly(node: Node): number {
    this.triedSkills ||= isInSkills(pathOf(node))
    return negativeErrno('ROFS')
  }

  /** Sets the time of a node, to now if `ms` is null. Packages are shared by all jobs of an isolate. */
  touch(node: Node, ms: number | null): number {
    if (!node.writable) return this.readOnly(node)
    if (ms !== null && !isTime(ms)) return negativeErrno('INVAL')
    node.changedMs = ms ?? this.#now()
    this.timed[ms === null ? 'delete' : 'add'](node)
    return 0
  }
}

function isRoot(folder: Folder): boolean {
  return SHARED_ROOTS.includes(pathOf(folder))
}

/** The absolute path of a node in the tree. */
export function pathOf(node: Node): string {
  const names: string[] = []
  for (let ancestor: Node | null = node; ancestor?.parent; ancestor = ancestor.parent)
    names.unshift(ancestor.name)
  return `/${names.join('/')}`
}
