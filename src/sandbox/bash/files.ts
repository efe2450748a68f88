// The operations of a file system on the tree. The tree decides what may be written.

import type { FileStatus } from '../commands/io/files.ts'
import type { ByteReader } from '../commands/io/reader.ts'
import { folderOf, baseName, partsOf, type FileEntry, type TreeEntry } from './entries.ts'
import { EXISTS, MISSING, Refusal } from './refusal.ts'
import { append } from './append.ts'
import type { ShellTree } from './tree.ts'

/** The device that discards everything written to it. */
const NULL_DEVICE = '/dev/null'
/** The modes of new files and folders, without the umask. */
const NEW_FILE = 0o666
const NEW_FOLDER = 0o777
const DEVICES = ['null', 'stdin', 'stdout', 'stderr', 'zero', 'urandom', 'random']

export class ShellFiles {
  readonly #tree: ShellTree

  constructor(tree: ShellTree) {
    this.#tree = tree
  }

  /** Adds devices and the commands in /usr/bin. Must be called before the tree is sealed. */
  addSystem(commands: readonly string[]): void {
    const { entries } = this.#tree
    for (const folder of ['/dev', '/usr/bin']) entries.folders(folder)
    for (const name of DEVICES) this.#tree.write(`/dev/${name}`, new Uint8Array(), 0o666)
    for (const name of commands) this.#tree.write(`/usr/bin/${name}`, new Uint8Array(), 0o755)
    entries.put('/bin', { kind: 'link', target: 'usr/bin', mode: 0o777, mtime: new Date(0), isOwn: false })
  }

  // --- reading ---

  async readFile(path: string): Promise<Uint8Array> {
    return this.#tree.contents.bytesOf(this.#tree.entries.findFile(path))
  }

  /** Reads a file from byte `from` on, without loading all of it. */
  async open(path: string, from = 0): Promise<ByteReader & { readonly size: number }> {
    return this.#tree.contents.open(this.#tree.entries.findFile(path), from)
  }

  async readRange(path: string, from: number, to: number): Promise<Uint8Array> {
    return this.#tree.contents.range(this.#tree.entries.findFile(path), from, to)
  }

  async stat(path: string): Promise<FileStatus> {
    return this.#statOf(this.#tree.entries.find(path))
  }

  async lstat(path: string): Promise<FileStatus> {
    const entry = this.#tree.entries.get(this.#tree.entries.resolve(path, false))
    if (!entry) throw new Refusal(MISSING)
    return this.#statOf(entry)
  }

  async readdir(path: string): Promise<string[]> {
    return [...this.#tree.entries.findFolder(path).names].sort()
  }

  async realpath(path: string): Promise<string> {
    const real = this.#tree.entries.resolve(path, true)
    if (!this.#tree.entries.get(real)) throw new Refusal(MISSING)
    return real
  }

  async readlink(path: string): Promise<string> {
    const entry = this.#tree.entries.get(this.#tree.entries.resolve(path, false))
    if (entry?.kind !== 'link') throw new Refusal(entry ? 'Invalid argument' : MISSING)
    return entry.target
  }

  resolvePath(base: string, path: string): string {
    return `/${partsOf(path.startsWith('/') ? path : `${base}/${path}`).join('/')}`
  }

  // --- writing ---

  /**
   * Copies the bytes, because sending a part of a larger buffer would send all of it. `umask` applies to a new file.
   */
  async writeFile(path: string, bytes: Uint8Array, umask: number): Promise<void> {
    const { written } = this.#tree
    await written.settle()
    this.#write(path, (real) => {
      if (real !== NULL_DEVICE) this.#tree.write(real, bytes.slice(), this.#modeAt(real, umask))
    })
    await written.settle()
  }

  async appendFile(path: string, bytes: Uint8Array, umask: number): Promise<void> {
    const { contents, written } = this.#tree
    await written.settle()
    for (let isWritten = false; !isWritten;) {
      const file = this.#fileAt(path)
      const isOnHost = file?.bytes === null && file.pieces.length === 0
      const before = (isOnHost ? await contents.bytesOf(file) : file?.bytes) ?? new Uint8Array()
      // The file may have been written in the meantime.
      if (isOnHost && this.#fileAt(path) !== file) continue
      this.#write(path, (real) => {
        if (real !== NULL_DEVICE)
          this.#tree.write(real, append(before, bytes), this.#modeAt(real, umask), file?.pieces)
      })
      isWritten = true
    }
    await written.settle()
  }

  #fileAt(path: string): FileEntry | null {
    const { entries } = this.#tree
    const entry = entries.get(entries.resolve(path, true))
    return entry?.kind === 'file' ? entry : null
  }

  /** Creates the file if it is missing. Throws a Refusal if it may not be written. */
  async openToAppend(path: string, umask: number): Promise<void> {
    this.#write(path, (real) => {
      if (real === NULL_DEVICE) return
      const entry = this.#tree.entries.get(real)
      if (entry) this.#tree.touch(real, entry)
      else this.#tree.write(real, new Uint8Array(), NEW_FILE & ~umask)
    })
  }

  async mkdir(path: string, umask: number, recursive: boolean): Promise<void> {
    this.#write(path, (real) => this.#folder(real, umask, recursive))
  }

  async rm(path: string, recursive: boolean): Promise<void> {
    const { entries } = this.#tree
    this.#write(
      path,
      (real) => {
        if (!entries.get(real)) throw new Refusal(MISSING)
        this.#remove(real, recursive)
      },
      false,
    )
  }

  async cp(from: string, to: string): Promise<void> {
    const { entries } = this.#tree
    const source = entries.resolve(from, true)
    this.#write(to, (real) => {
      const entry = entries.find(source)
      if (entry.kind === 'folder') throw new Refusal('Is a directory')
      if (real === source || real.startsWith(`${source}/`)) throw new Refusal('Invalid argument')
      this.#copy(source, real)
    })
  }

  async mv(from: string, to: string): Promise<void> {
    const { entries } = this.#tree
    const source = entries.resolve(from, false)
    this.#write(
      to,
      (real) => {
        if (!entries.get(source)) throw new Refusal(MISSING)
        if (real === source) return
        if (real.startsWith(`${source}/`)) throw new Refusal('Invalid argument')
        // Checks that the source may be removed before copying it.
        this.#checkRemovable(source)
        this.#copy(source, real, source)
        this.#remove(source, true)
      },
      false,
    )
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#write(path, (real) => {
      const entry = this.#tree.entries.find(real)
      this.#tree.touch(real, entry)
      if (entry.kind !== 'link') entry.mode = mode & 0o777
    })
  }

  async setTime(path: string, mtime: Date): Promise<void> {
    this.#write(path, (real) => {
      const entry = this.#tree.entries.find(real)
      this.#tree.touch(real, entry)
      entry.mtime = mtime
    })
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#write(
      path,
      (real) => {
        if (this.#tree.entries.get(real)) throw new Refusal(EXISTS)
        if (target.includes('\0')) throw new Refusal(MISSING)
        this.#tree.put(real, { kind: 'link', target, mode: 0o777, mtime: new Date(), isOwn: true })
      },
      false,
    )
  }

  #statOf(entry: TreeEntry): FileStatus {
    const size = entry.kind === 'file' ? entry.size : entry.kind === 'link' ? entry.target.length : 0
    const kind = entry.kind === 'folder' ? 'directory' : entry.kind
    return {
      kind,
      mode: entry.mode,
      size,
      mtimeMs: entry.mtime.getTime(),
      inode: this.#tree.entries.numberOf(entry),
    }
  }

  /** Resolves the path and calls `write` with it. */
  #write(path: string, write: (real: string) => void, followsLast = true): void {
    write(this.#tree.entries.resolve(path, followsLast))
  }

  /** The mode of a file that is being written: an existing file keeps its mode. */
  #modeAt(real: string, umask: number): number | undefined {
    return this.#tree.entries.get(real) ? undefined : NEW_FILE & ~umask
  }

  #folder(real: string, umask: number, recursive: boolean): void {
    const existing = this.#tree.entries.get(real)
    if (existing && (!recursive || existing.kind !== 'folder')) throw new Refusal(EXISTS)
    if (existing) return
    if (recursive) this.#folder(folderOf(real), umask, true)
    this.#tree.put(real, { ...this.#tree.entries.folder(), mode: NEW_FOLDER & ~umask })
  }

  #childrenOf(real: string): string[] {
    const entry = this.#tree.entries.get(real)
    return entry?.kind === 'folder' ? [...entry.names].map((name) => `${real}/${name}`) : []
  }

  #checkRemovable(real: string): void {
    const entry = this.#tree.entries.get(real)
    if (entry) this.#tree.touch(real, entry)
    for (const child of this.#childrenOf(real)) this.#checkRemovable(child)
  }

  #remove(real: string, recursive: boolean): void {
    const children = this.#childrenOf(real)
    if (children.length > 0 && !recursive) throw new Refusal('Directory not empty')
    for (const child of children) this.#remove(child, true)
    this.#tree.remove(real)
  }

  /** `renamed` is removed next, so its name may differ from the new one only in case. */
  #copy(source: string, real: string, renamed?: string): void {
    const { entries } = this.#tree
    const entry = entries.get(source)
    if (!entry) return
    if (entry.kind !== 'folder') return this.#tree.put(real, entry, renamed)
    const children = this.#childrenOf(source)
    if (entries.get(real)?.kind !== 'folder')
      this.#tree.put(real, { ...entries.folder(), mode: entry.mode }, renamed)
    for (const child of children) this.#copy(child, `${real}/${baseName(child)}`)
  }
}
