// The entries of the shell's tree: look-up by path, symbolic links, children of folders. Does not decide what
// may be written.

import { EXISTS, IS_FOLDER, MISSING, NOT_FOLDER, Refusal } from './refusal.ts'

export interface FileEntry {
  readonly kind: 'file'
  /** Null: the host holds the bytes, under `from`. */
  bytes: Uint8Array | null
  readonly from: string | null
  size: number
  mode: number
  mtime: Date
  /** The host does not allow writing. */
  readonly locked: boolean
  /** Created or changed by this job: counts against the write quota. */
  own: boolean
}
export interface FolderEntry {
  readonly kind: 'folder'
  readonly names: Set<string>
  mode: number
  mtime: Date
  own: boolean
}
interface LinkEntry {
  readonly kind: 'link'
  readonly target: string
  readonly mode: number
  mtime: Date
  own: boolean
}
export type TreeEntry = FileEntry | FolderEntry | LinkEntry

/** The limit of Linux. */
const LINKS_MAX = 40
/** The limit of Linux; longer paths are refused before any work. */
const PATH_MAX = 4_096

export class Entries {
  readonly #all = new Map<string, TreeEntry>()
  readonly #now: () => Date
  readonly #numbers = new WeakMap<TreeEntry, number>()
  #numbered = 0

  constructor(now: () => Date) {
    this.#now = now
    this.#all.set('/', this.folder())
  }

  folder(own = false): FolderEntry {
    return { kind: 'folder', names: new Set(), mode: 0o755, mtime: this.#now(), own }
  }

  paths(): string[] {
    return [...this.#all.keys()]
  }

  each(): IterableIterator<[string, TreeEntry]> {
    return this.#all.entries()
  }

  /** A number that identifies the entry, to tell whether two paths are one file. */
  numberOf(entry: TreeEntry): number {
    const number = this.#numbers.get(entry) ?? ++this.#numbered
    this.#numbers.set(entry, number)
    return number
  }

  /** The entry at a resolved path. */
  at(real: string): TreeEntry | undefined {
    return this.#all.get(real)
  }

  /**
   * Resolves the links in a path; the last component's only if `last` is set. Refuses NUL, paths that are too
   * long and cycles. The part of a path that does not exist stays as written.
   */
  real(path: string, last: boolean): string {
    if (path.includes('\0')) throw new Refusal(MISSING)
    if (path.length > PATH_MAX) throw new Refusal('File name too long')
    let names = partsOf(path)
    let real = ''
    let links = 0
    for (let at = 0; at < names.length; at++) {
      const next = `${real}/${names[at] ?? ''}`
      const entry = this.#all.get(next)
      if (entry?.kind !== 'link' || (at === names.length - 1 && !last)) {
        real = next
        continue
      }
      if (++links > LINKS_MAX) throw new Refusal('Too many levels of symbolic links')
      const target = entry.target.startsWith('/') ? entry.target : `${real}/${entry.target}`
      names = [...partsOf(target), ...names.slice(at + 1)]
      real = ''
      at = -1
    }
    return real === '' ? '/' : real
  }

  /** The entry at `path`, following links. Refuses if there is none. */
  must(path: string): TreeEntry {
    const entry = this.#all.get(this.real(path, true))
    if (!entry) throw new Refusal(MISSING)
    return entry
  }

  mustFile(path: string): FileEntry {
    const entry = this.must(path)
    if (entry.kind !== 'file') throw new Refusal(IS_FOLDER)
    return entry
  }

  mustFolder(path: string): FolderEntry {
    const entry = this.must(path)
    if (entry.kind !== 'folder') throw new Refusal(NOT_FOLDER)
    return entry
  }

  /** The folder that will contain `real`. */
  parentOf(real: string): FolderEntry {
    const parent = this.#all.get(folderOf(real))
    if (!parent) throw new Refusal(MISSING)
    if (parent.kind !== 'folder') throw new Refusal(NOT_FOLDER)
    return parent
  }

  /** Adds the entry and replaces a file or link at that path. */
  put(real: string, entry: TreeEntry): void {
    if (real === '/') throw new Refusal(EXISTS)
    this.parentOf(real).names.add(baseName(real))
    this.#all.set(real, entry)
  }

  remove(real: string): void {
    this.parentOf(real).names.delete(baseName(real))
    this.#all.delete(real)
  }

  /** Creates missing folders of a path. */
  folders(real: string): void {
    if (real === '/' || this.#all.get(real)?.kind === 'folder') return
    this.folders(folderOf(real))
    this.put(real, this.folder())
  }
}

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
