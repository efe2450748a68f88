// The files, folders and links of the shell's tree. Finds them by path, and follows symbolic links. Does not decide what
// may be written.

import type { HostPiece } from '../guest.ts'
import { EXISTS, IS_FOLDER, MISSING, NOT_FOLDER, Refusal } from './refusal.ts'

export interface FileEntry {
  readonly kind: 'file'
  /** The beginning of a large file, stored on the host. */
  pieces: readonly HostPiece[]
  /** The bytes after `pieces`. Null if only the host has them, under the path `hostPath`. */
  bytes: Uint8Array | null
  hostPath: string | null
  size: number
  mode: number
  mtime: Date
  /** Whether the host forbids writing. */
  readonly isLocked: boolean
  /** Whether this job created or changed the file, so that it counts towards the write quota. */
  isOwn: boolean
}
export interface FolderEntry {
  readonly kind: 'folder'
  readonly names: Set<string>
  mode: number
  mtime: Date
  isOwn: boolean
}
interface LinkEntry {
  readonly kind: 'link'
  readonly target: string
  readonly mode: number
  mtime: Date
  isOwn: boolean
}
export type TreeEntry = FileEntry | FolderEntry | LinkEntry

/** Maximum number of links that are followed in a path (the limit of Linux). */
const FOLLOWED_LINKS_MAX = 40
/** Maximum length of a path (the limit of Linux). Longer paths are refused before any work is done. */
const PATH_MAX_CHARS = 4_096

export class Entries {
  readonly #byPath = new Map<string, TreeEntry>()
  readonly #now: () => Date
  readonly #numbers = new WeakMap<TreeEntry, number>()
  #lastNumber = 0

  constructor(now: () => Date) {
    this.#now = now
    this.#byPath.set('/', this.folder())
  }

  folder(isOwn = false): FolderEntry {
    return { kind: 'folder', names: new Set(), mode: 0o755, mtime: this.#now(), isOwn: isOwn }
  }

  paths(): string[] {
    return [...this.#byPath.keys()]
  }

  each(): IterableIterator<[string, TreeEntry]> {
    return this.#byPath.entries()
  }

  /** A number that identifies the entry, which shows whether two paths lead to the same file. */
  numberOf(entry: TreeEntry): number {
    const number = this.#numbers.get(entry) ?? ++this.#lastNumber
    this.#numbers.set(entry, number)
    return number
  }

  /** The entry at a resolved path. */
  get(real: string): TreeEntry | undefined {
    return this.#byPath.get(real)
  }

  /**
   * Resolves the links in a path. If the path itself is a link, it is followed only if `followsLast` is true. Refuses
   * paths that contain NUL, are too long or have a cycle of links. The part of a path that does not exist is not
   * changed.
   */
  resolve(path: string, followsLast: boolean): string {
    if (path.includes('\0')) throw new Refusal(MISSING)
    if (path.length > PATH_MAX_CHARS) throw new Refusal('File name too long')
    let names = partsOf(path)
    let real = ''
    let links = 0
    for (let index = 0; index < names.length; index++) {
      const next = `${real}/${names[index] ?? ''}`
      const entry = this.#byPath.get(next)
      if (entry?.kind !== 'link' || (index === names.length - 1 && !followsLast)) {
        real = next
        continue
      }
      if (++links > FOLLOWED_LINKS_MAX) throw new Refusal('Too many levels of symbolic links')
      const target = entry.target.startsWith('/') ? entry.target : `${real}/${entry.target}`
      names = [...partsOf(target), ...names.slice(index + 1)]
      real = ''
      index = -1
    }
    return real === '' ? '/' : real
  }

  /** The entry at `path`, following links. Throws a Refusal if it does not exist. */
  find(path: string): TreeEntry {
    const real = this.resolve(path, true)
    const entry = this.#byPath.get(real)
    if (!entry) throw this.#missing(real)
    return entry
  }

  /** Explains why there is nothing at `real`: a part of the path may be a file. */
  #missing(real: string): Refusal {
    let above = folderOf(real)
    while (!this.#byPath.has(above)) above = folderOf(above)
    return new Refusal(this.#byPath.get(above)?.kind === 'file' ? NOT_FOLDER : MISSING)
  }

  findFile(path: string): FileEntry {
    const entry = this.find(path)
    if (entry.kind !== 'file') throw new Refusal(IS_FOLDER)
    return entry
  }

  findFolder(path: string): FolderEntry {
    const entry = this.find(path)
    if (entry.kind !== 'folder') throw new Refusal(NOT_FOLDER)
    return entry
  }

  /** The folder that will contain `real`. */
  parentOf(real: string): FolderEntry {
    const parent = this.#byPath.get(folderOf(real))
    if (!parent) throw this.#missing(real)
    if (parent.kind !== 'folder') throw new Refusal(NOT_FOLDER)
    return parent
  }

  /** Adds the entry, replacing a file or link at this path. */
  put(real: string, entry: TreeEntry): void {
    if (real === '/') throw new Refusal(EXISTS)
    this.parentOf(real).names.add(baseName(real))
    this.#byPath.set(real, entry)
  }

  remove(real: string): void {
    this.parentOf(real).names.delete(baseName(real))
    this.#byPath.delete(real)
  }

  /** Creates missing folders of a path. */
  folders(real: string): void {
    if (real === '/' || this.#byPath.get(real)?.kind === 'folder') return
    this.folders(folderOf(real))
    this.put(real, this.folder())
  }
}

/** The names in a path, without `.` and `..`. */
export function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.') parts.push(name)
  }
  return parts
}

export function folderOf(real: string): string {
  return real.slice(0, real.lastIndexOf('/')) || '/'
}

export function baseName(real: string): string {
  return real.slice(real.lastIndexOf('/') + 1)
}
