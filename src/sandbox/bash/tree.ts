// The tree of one job: the host's files, read when they are opened, overlaid by the job's writes. Decides
// what and how much may be written, and returns the changes at the end.

import { DATA_FOLDERS, DATA_ROOT, foldPath, pathIn, underRoot } from '../../files/path.ts'
import type { GuestChange, GuestFile, GuestLimits } from '../guest.ts'
import { Entries, folderOf, baseName, type TreeEntry, type FileEntry } from './entries.ts'
import { isInSkills, SKILLS_READ_ONLY } from '../read-only.ts'
import { EXISTS, FULL, IS_FOLDER, NOT_PERMITTED, READ_ONLY, Refusal } from './refusal.ts'

const SCRATCH = '/tmp'
/** The folders that every tree has; missing ones are created. */
const FOLDERS = ['/mnt/skills', SCRATCH, ...DATA_FOLDERS.map((folder) => `${DATA_ROOT}/${folder}`)]
/** Files that a shell may run by their path; the tree stores no modes. */
const RUNNABLE = /\.(?:sh|bash|py|js|mjs|cjs|ts|mts)$/

export interface TreeParts {
  readonly files: readonly GuestFile[]
  readonly overlay: readonly GuestChange[]
  readonly limits: Pick<GuestLimits, 'fileBytes' | 'files'>
  /** Bytes of the host's files that are cached. */
  readonly keptBytes: number
  readonly read: (path: string) => Promise<Uint8Array | null>
  readonly now: () => Date
  /** Called when a quota is reached. */
  readonly full: () => void
}

export class ShellTree {
  readonly entries: Entries
  readonly #parts: TreeParts
  readonly #base = new Map<string, FileEntry>()
  /** Host files with cached bytes, the least recently read first. */
  readonly #kept = new Map<FileEntry, number>()
  #keptBytes = 0
  #bytes = 0
  #made = 0
  #sealed = false

  constructor(parts: TreeParts) {
    this.#parts = parts
    this.entries = new Entries(parts.now)
    for (const folder of FOLDERS) this.entries.folders(folder)
    for (const file of parts.files) this.#add(file.path, this.#hosted(file))
    for (const change of parts.overlay) this.#lay(change)
    for (const [path, entry] of this.entries.each())
      if (entry.kind === 'file' && underRoot(path) !== null) this.#base.set(path, entry)
  }

  /** From here on, a guest's permissions apply. */
  seal(): void {
    this.#sealed = true
  }

  /** The bytes of a file. Refuses if the host no longer has them. */
  async bytesOf(entry: FileEntry): Promise<Uint8Array> {
    if (entry.bytes) return entry.bytes
    const bytes = await this.#parts.read(entry.from ?? '')
    if (!bytes) throw new Refusal('Input/output error')
    // The file may have been written while its bytes were read.
    entry.bytes ??= bytes
    if (entry.bytes !== bytes) return entry.bytes
    this.#keep(entry, bytes.length)
    return bytes
  }

  /** Writes a new file, or replaces one. */
  write(real: string, bytes: Uint8Array, mode?: number): void {
    const there = this.entries.at(real)
    if (there?.kind === 'folder') throw new Refusal(IS_FOLDER)
    this.#mayWrite(real, there)
    if (!there) this.#mayBeNamed(real)
    const parent = this.entries.parentOf(real)
    const file = there?.kind === 'file' ? there : null
    this.#charge(there?.own ? 0 : 1, bytes.length - (file?.own ? file.size : 0))
    this.#forget(file)
    parent.mtime = this.#parts.now()
    this.entries.put(real, {
      kind: 'file',
      bytes,
      from: null,
      size: bytes.length,
      mode: mode ?? file?.mode ?? modeOf(real),
      mtime: this.#parts.now(),
      locked: false,
      own: this.#sealed,
    })
  }

  /** Adds an entry that another path has, or had. Bytes of a file that was never read stay with the host. */
  put(real: string, entry: TreeEntry): void {
    const there = this.entries.at(real)
    if (there?.kind === 'folder') throw new Refusal(entry.kind === 'folder' ? EXISTS : IS_FOLDER)
    if (entry.kind === 'folder' && there) throw new Refusal(EXISTS)
    this.#mayWrite(real, there)
    if (entry.kind === 'link' && !below(real, SCRATCH)) throw new Refusal(NOT_PERMITTED)
    if (!there) this.#mayBeNamed(real)
    this.entries.parentOf(real).mtime = this.#parts.now()
    this.#charge(there?.own ? 0 : 1, sizeOf(entry) - (there?.own ? sizeOf(there) : 0))
    if (there?.kind === 'file') this.#forget(there)
    const copy = { ...entry, own: this.#sealed }
    this.entries.put(real, copy.kind === 'file' ? { ...copy, locked: false } : copy)
  }

  /** Removes a file, a link or an empty folder. */
  remove(real: string): void {
    const there = this.entries.at(real)
    if (!there) return
    this.#mayWrite(real, there)
    if (there.own) this.#charge(-1, -sizeOf(there))
    if (there.kind === 'file') this.#forget(there)
    this.entries.parentOf(real).mtime = this.#parts.now()
    this.entries.remove(real)
  }

  /** Changes the mode or time of an entry that may be written. */
  touch(real: string, entry: TreeEntry): void {
    this.#mayWrite(real, entry)
  }

  /** Applies the changes of a program that this shell started. */
  apply(changes: readonly GuestChange[]): void {
    for (const { path, bytes } of changes) {
      const real = this.entries.real(path, true)
      if (bytes === null) this.remove(real)
      else {
        this.#foldersFor(real)
        this.write(real, bytes)
      }
    }
  }

  /** Empty folders among those that a guest may change. */
  emptyFolders(): readonly string[] {
    return [...this.entries.each()].flatMap(([path, entry]) =>
      entry.kind === 'folder' && entry.names.size === 0 && mayHold(path) ? [path] : [],
    )
  }

  /** Applies which folders a program left empty; `before` are those that it received. */
  applyFolders(before: readonly string[], after: readonly string[]): void {
    for (const path of after) {
      const real = this.entries.real(path, true)
      if (!mayHold(real) || this.entries.at(real)) continue
      this.#foldersFor(real)
      this.put(real, this.entries.folder())
    }
    const left = new Set(after)
    for (const path of before) {
      const folder = this.entries.at(path)
      if (!left.has(path) && folder?.kind === 'folder' && folder.names.size === 0) this.remove(path)
    }
  }

  /** Changes against the host's files, with bytes. `scratch` includes /tmp, for a program that is started. */
  async changes(scratch = false): Promise<readonly GuestChange[]> {
    const found: GuestChange[] = []
    for (const [path, entry] of this.entries.each()) {
      const mine = underRoot(path) !== null || (scratch && below(path, SCRATCH))
      if (entry.kind !== 'file' || !entry.own || !mine) continue
      const bytes = await this.bytesOf(entry)
      if (!same(bytes, this.#base.get(path)?.bytes)) found.push({ path, bytes })
    }
    for (const path of this.#base.keys())
      if (this.entries.at(path)?.kind !== 'file') found.push({ path, bytes: null })
    return found
  }

  #hosted({ path, bytes, writable }: GuestFile): FileEntry {
    return {
      kind: 'file',
      bytes: null,
      from: path,
      size: bytes,
      mode: modeOf(path),
      mtime: this.#parts.now(),
      locked: !writable,
      own: false,
    }
  }

  #lay({ path, bytes }: GuestChange): void {
    if (bytes !== null)
      this.#add(path, {
        ...this.#hosted({ path, bytes: bytes.length, writable: true }),
        bytes,
        from: null,
      })
    else if (this.entries.at(path)) this.entries.remove(path)
  }

  #add(path: string, entry: FileEntry): void {
    this.entries.folders(folderOf(path))
    this.entries.put(path, entry)
  }

  #foldersFor(real: string): void {
    const folder = folderOf(real)
    if (this.entries.at(folder)) return
    this.#foldersFor(folder)
    this.put(folder, this.entries.folder())
  }

  #mayWrite(real: string, there: TreeEntry | undefined): void {
    if (!this.#sealed) return
    const dataPath = underRoot(real)
    const inside = dataPath === null ? below(real, SCRATCH) : dataPath.includes('/')
    if (!inside || (there?.kind === 'file' && there.locked))
      throw new Refusal(isInSkills(real) ? `${READ_ONLY} (${SKILLS_READ_ONLY})` : READ_ONLY)
  }

  /**
   * Refuses a path that the thread's file table would refuse at the end, while the script can still react.
   */
  #mayBeNamed(real: string): void {
    const dataPath = this.#sealed ? underRoot(real) : null
    if (dataPath === null) return
    const checked = pathIn(dataPath)
    if (!checked.ok) throw new Refusal(`Invalid argument: ${checked.error}`)
    if (checked.value !== dataPath)
      throw new Refusal('Invalid argument: the name is not in Unicode normalization form NFC')
    const fold = foldPath(baseName(real))
    for (const name of this.entries.parentOf(real).names)
      if (foldPath(name) === fold) throw new Refusal(`${EXISTS} as ${name}: the names differ only in case`)
  }

  #charge(entries: number, bytes: number): void {
    if (!this.#sealed) return
    const { limits } = this.#parts
    if (
      (entries > 0 && this.#made + entries > limits.files) ||
      (bytes > 0 && this.#bytes + bytes > limits.fileBytes)
    ) {
      this.#parts.full()
      throw new Refusal(FULL)
    }
    this.#made += entries
    this.#bytes += bytes
  }

  #keep(entry: FileEntry, bytes: number): void {
    this.#kept.set(entry, bytes)
    this.#keptBytes += bytes
    for (const [oldest, size] of this.#kept) {
      if (this.#keptBytes <= this.#parts.keptBytes || oldest === entry) return
      this.#kept.delete(oldest)
      this.#keptBytes -= size
      oldest.bytes = null
    }
  }

  #forget(entry: FileEntry | null): void {
    const size = entry ? this.#kept.get(entry) : undefined
    if (!entry || size === undefined) return
    this.#kept.delete(entry)
    this.#keptBytes -= size
  }
}

/** Whether a guest may own a folder at `path`: below those that every tree has. */
function mayHold(path: string): boolean {
  const [root = '', ...rest] = (underRoot(path) ?? '').split('/')
  return below(path, SCRATCH) || (DATA_FOLDERS.some((folder) => folder === root) && rest.length > 0)
}

function below(real: string, folder: string): boolean {
  return real.startsWith(`${folder}/`)
}

function sizeOf(entry: TreeEntry): number {
  return entry.kind === 'file' ? entry.size : 0
}

function modeOf(path: string): number {
  return RUNNABLE.test(path) ? 0o755 : 0o644
}

function same(one: Uint8Array, other: Uint8Array | null | undefined): boolean {
  return !!other && one.length === other.length && one.every((byte, at) => byte === other[at])
}
