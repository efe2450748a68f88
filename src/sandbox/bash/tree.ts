// The tree of one job: the host's files, which are read when they are opened, and everything that the job writes.
// Decides what and how much may be written, and returns the changes at the end.

import { DATA_FOLDERS, DATA_ROOT, foldPath, pathIn, pathFromRoot } from '../../files/path.ts'
import type { GuestChange, GuestFile, GuestLimits, HostPiece } from '../guest.ts'
import { Contents, type ContentsParts } from './contents.ts'
import { modeOfStoredFile, NEW_FILE_MODE } from '../file-modes.ts'
import { Entries, folderOf, baseName, type TreeEntry, type FileEntry } from './entries.ts'
import { linkedFiles } from './links.ts'
import { isBelow, isSharedPath, mayHaveFolder, SCRATCH } from './paths.ts'
import { changeTo, haveSameContent } from './contents-compared.ts'
import { isInSkills, SKILLS_READ_ONLY } from '../read-only.ts'
import { BASH_WHOLE_READ_MAX_BYTES } from './limits.ts'
import { EntryTimes } from './entry-times.ts'
import { Written, type Keep } from './written.ts'
import { EXISTS, FULL, IS_FOLDER, READ_ONLY, Refusal } from './refusal.ts'

/** The folders that every tree has; missing ones are created. */
const FOLDERS = ['/mnt/skills', SCRATCH, ...DATA_FOLDERS.map((folder) => `${DATA_ROOT}/${folder}`)]

export interface TreeParts extends ContentsParts {
  readonly files: readonly GuestFile[]
  readonly overlay: readonly GuestChange[]
  readonly limits: Pick<GuestLimits, 'fileBytes' | 'files'>
  readonly keep: Keep
  readonly now: () => Date
  /** Called when a quota is reached. */
  readonly onQuotaReached: () => void
}

export class ShellTree {
  readonly entries: Entries
  readonly written: Written
  readonly contents: Contents
  readonly #parts: TreeParts
  readonly #base = new Map<string, FileEntry>()
  readonly times = new EntryTimes(() => this.entries)
  #bytes = 0
  #createdCount = 0
  #sealed = false

  constructor(parts: TreeParts) {
    this.#parts = parts
    this.entries = new Entries(parts.now)
    this.contents = new Contents(parts)
    this.written = new Written(parts.keep)
    for (const folder of FOLDERS) this.entries.folders(folder)
    for (const file of parts.files) this.#add(file.path, this.#hostEntry(file))
    for (const change of parts.overlay) this.#applyOverlay(change)
    for (const [path, entry] of this.entries.each())
      if (entry.kind === 'file' && pathFromRoot(path) !== null) this.#base.set(path, entry)
  }

  /** Ends the setup. From now on, the guest's permissions apply. */
  seal(): void {
    this.#sealed = true
  }

  /** Writes a new file, or replaces one. Its content is `pieces`, followed by `bytes`. */
  write(real: string, bytes: Uint8Array, mode?: number, pieces: readonly HostPiece[] = []): void {
    const existing = this.entries.get(real)
    if (existing?.kind === 'folder') throw new Refusal(IS_FOLDER)
    this.#checkWritable(real, existing)
    if (!existing) this.#checkName(real)
    const parent = this.entries.parentOf(real)
    const file = existing?.kind === 'file' ? existing : null
    const size = pieces.reduce((sum, piece) => sum + piece.bytes, bytes.length)
    this.#charge(existing?.isOwn ? 0 : 1, size - (file?.isOwn ? file.size : 0))
    if (file) this.#forget(file)
    if (file && size === 0) this.contents.emptied(file)
    parent.mtime = this.#parts.now()
    const entry: FileEntry = {
      kind: 'file',
      pieces,
      bytes,
      hostPath: null,
      size,
      mode: mode ?? file?.mode ?? NEW_FILE_MODE,
      mtime: this.#parts.now(),
      isLocked: false,
      isOwn: this.#sealed,
    }
    this.entries.put(real, entry)
    if (this.#sealed) this.written.add(entry)
  }

  /**
   * Adds an entry, which may be at another path too. Does not fetch the bytes of a file that was never read. `renamed`
   * is the path of an entry that is removed next, whose name may differ only in case.
   */
  put(real: string, entry: TreeEntry, renamed?: string): void {
    const existing = this.entries.get(real)
    if (existing?.kind === 'folder') throw new Refusal(entry.kind === 'folder' ? EXISTS : IS_FOLDER)
    if (entry.kind === 'folder' && existing) throw new Refusal(EXISTS)
    this.#checkWritable(real, existing)
    if (!existing) this.#checkName(real, renamed)
    this.entries.parentOf(real).mtime = this.#parts.now()
    this.#charge(existing?.isOwn ? 0 : 1, sizeOf(entry) - (existing?.isOwn ? sizeOf(existing) : 0))
    if (existing?.kind === 'file') this.#forget(existing)
    if (entry.kind !== 'file') return this.entries.put(real, { ...entry, isOwn: this.#sealed })
    // Bytes that the host has are read again when needed.
    const bytes = entry.hostPath !== null && entry.pieces.length === 0 ? null : entry.bytes
    const copy: FileEntry = { ...entry, bytes, isLocked: false, isOwn: this.#sealed }
    this.entries.put(real, copy)
    if (this.#sealed) this.written.add(copy)
  }

  /** Removes a file, a link or an empty folder. */
  remove(real: string): void {
    const existing = this.entries.get(real)
    if (!existing) return
    this.#checkWritable(real, existing)
    if (existing.isOwn) this.#charge(-1, -sizeOf(existing))
    if (existing.kind === 'file') this.#forget(existing)
    this.entries.parentOf(real).mtime = this.#parts.now()
    this.entries.remove(real)
  }

  /** Changes the mode or time of an entry that may be written. */
  touch(real: string, entry: TreeEntry): void {
    this.#checkWritable(real, entry)
    this.times.set(entry)
  }

  /** Applies the changes of a program that this shell started. It had a copy of each link, which it must not change. */
  apply(changes: readonly GuestChange[]): void {
    for (const { path, bytes, pieces } of changes) {
      if (this.entries.get(path)?.kind === 'link') throw new Refusal(`${path} is a link; change its target`)
      const real = this.entries.resolve(path, true)
      if (bytes === null) this.remove(real)
      else {
        this.#createFoldersFor(real)
        this.write(real, bytes, undefined, pieces)
      }
    }
  }

  /** The empty folders that the guest may change. */
  emptyFolders(): readonly string[] {
    return [...this.entries.each()].flatMap(([path, entry]) =>
      entry.kind === 'folder' && entry.names.size === 0 && mayHaveFolder(path) ? [path] : [],
    )
  }

  /**
   * Applies a program's changes of empty folders. `after` is the complete list. Its changes of files were applied
   * before.
   */
  applyFolders(after: readonly string[]): void {
    for (const path of after) {
      const real = this.entries.resolve(path, true)
      if (!mayHaveFolder(real) || this.entries.get(real)) continue
      this.#createFoldersFor(real)
      this.put(real, this.entries.folder())
    }
    const remaining = new Set(after)
    // Removing a folder may leave its parent empty, so repeat until nothing changes.
    for (let removedCount = 1; removedCount > 0;) {
      const removed = this.emptyFolders().filter((path) => !remaining.has(path))
      for (const path of removed) this.remove(path)
      removedCount = removed.length
    }
  }

  /** The changes to the host's files, with bytes. If `scratch` is true, includes /tmp, for a program that is started. */
  async changes(scratch = false): Promise<readonly GuestChange[]> {
    return this.#changesOf(
      (path) => (scratch ? isSharedPath(path) : pathFromRoot(path) !== null),
      this.#base,
      ({ isOwn }) => isOwn,
    )
  }

  async #changesOf(
    isIncluded: (path: string) => boolean,
    before: ReadonlyMap<string, FileEntry>,
    mayDiffer: (entry: FileEntry) => boolean = () => true,
  ): Promise<readonly GuestChange[]> {
    const files = [...this.entries.each()].flatMap(([path, entry]) =>
      entry.kind === 'file' && mayDiffer(entry) && isIncluded(path) ? [{ path, entry }] : [],
    )
    for (const { entry } of files) if (entry.isOwn) await this.#readSkillFile(entry)
    const links = linkedFiles(this.entries, isIncluded)
    for (const { entry } of links) await this.#readSkillFile(entry)
    const kept = new Set(links.map(({ path }) => path))
    const changes = [...files, ...links]
      .filter(({ path, entry }) => !haveSameContent(entry, before.get(path)))
      .map(({ path, entry }) => changeTo(path, entry))
    for (const path of before.keys())
      if (this.entries.get(path)?.kind !== 'file' && !kept.has(path)) changes.push({ path, bytes: null })
    return changes
  }

  /** All files that programs may change, for `changesSince`. */
  snapshot(): ReadonlyMap<string, FileEntry> {
    const files = new Map<string, FileEntry>()
    for (const [path, entry] of this.entries.each())
      if (entry.kind === 'file' && isSharedPath(path)) files.set(path, { ...entry })
    for (const { path, entry } of linkedFiles(this.entries, isSharedPath)) files.set(path, entry)
    return files
  }

  /** The changes since a snapshot. */
  async changesSince(before: ReadonlyMap<string, FileEntry>): Promise<readonly GuestChange[]> {
    return this.#changesOf(isSharedPath, before)
  }

  /** Reads a copy of a skill's file. Other files of the host are only named, but this one's size may be an estimate. */
  async #readSkillFile(entry: FileEntry): Promise<void> {
    if (entry.bytes || entry.hostPath === null || !isInSkills(entry.hostPath)) return
    entry.bytes = await this.contents.bytesOf({ ...entry })
    entry.hostPath = null
    this.written.add(entry)
    await this.written.settle()
  }

  /** Stops counting the bytes of a file that is replaced or removed. */
  #forget(entry: FileEntry): void {
    this.contents.uncache(entry)
    this.written.remove(entry)
  }

  #hostEntry({ path, bytes, writable }: GuestFile): FileEntry {
    const isLarge = bytes > BASH_WHOLE_READ_MAX_BYTES
    return {
      kind: 'file',
      pieces: isLarge ? [{ source: path, offset: 0, bytes }] : [],
      bytes: isLarge ? new Uint8Array() : null,
      hostPath: path,
      size: bytes,
      mode: modeOfStoredFile(path),
      mtime: this.#parts.now(),
      isLocked: !writable,
      isOwn: false,
    }
  }

  #applyOverlay({ path, bytes, pieces = [] }: GuestChange): void {
    if (bytes !== null) {
      const size = pieces.reduce((sum, piece) => sum + piece.bytes, bytes.length)
      const entry = this.#hostEntry({ path, bytes: size, writable: true })
      this.#add(path, { ...entry, pieces, bytes, hostPath: null })
    } else if (this.entries.get(path)) this.entries.remove(path)
  }

  #add(path: string, entry: FileEntry): void {
    this.entries.folders(folderOf(path))
    this.entries.put(path, entry)
  }

  #createFoldersFor(real: string): void {
    const folder = folderOf(real)
    if (this.entries.get(folder)) return
    this.#createFoldersFor(folder)
    this.put(folder, this.entries.folder())
  }

  #checkWritable(real: string, existing: TreeEntry | undefined): void {
    if (!this.#sealed) return
    const dataPath = pathFromRoot(real)
    const isWritable = dataPath === null ? isBelow(real, SCRATCH) : dataPath.includes('/')
    if (!isWritable || (existing?.kind === 'file' && existing.isLocked))
      throw new Refusal(isInSkills(real) ? `${READ_ONLY} (${SKILLS_READ_ONLY})` : READ_ONLY)
  }

  /** Refuses a path that the thread's file table would refuse at the end, so that the script can still react. */
  #checkName(real: string, renamed?: string): void {
    const dataPath = this.#sealed ? pathFromRoot(real) : null
    if (dataPath === null) return
    const checked = pathIn(dataPath)
    if (!checked.ok) throw new Refusal(`Invalid argument: ${checked.error}`)
    if (checked.value !== dataPath)
      throw new Refusal('Invalid argument: the name is not in Unicode normalization form NFC')
    const fold = foldPath(baseName(real))
    for (const name of this.entries.parentOf(real).names)
      if (foldPath(name) === fold && `${folderOf(real)}/${name}` !== renamed)
        throw new Refusal(`${EXISTS} as ${name}: the names differ only in case`)
  }

  #charge(entries: number, bytes: number): void {
    if (!this.#sealed) return
    const { limits } = this.#parts
    if (
      (entries > 0 && this.#createdCount + entries > limits.files) ||
      (bytes > 0 && this.#bytes + bytes > limits.fileBytes)
    ) {
      this.#parts.onQuotaReached()
      throw new Refusal(FULL)
    }
    this.#createdCount += entries
    this.#bytes += bytes
  }
}

function sizeOf(entry: TreeEntry): number {
  return entry.kind === 'file' ? entry.size : 0
}
