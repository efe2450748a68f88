// Adapts the tree to just-bash's file system interface: its methods, encodings and errors. The tree decides what may be
// written.

import { folderOf, baseName, partsOf, type TreeEntry } from './entries.ts'
import { EXISTS, MISSING, NOT_PERMITTED, Refusal } from './refusal.ts'
import type { CpOptions, FileContent, FsStat, IFileSystem, MkdirOptions, RmOptions } from './shell.js'
import { append, fromText, toText } from './text-of-bytes.ts'
import type { ShellTree } from './tree.ts'

/** The device that discards everything written to it. */
const NULL_DEVICE = '/dev/null'

export class ShellFiles implements IFileSystem {
  readonly #tree: ShellTree
  /** Why the last write was refused. */
  #refusalReason: string | null = null

  constructor(tree: ShellTree) {
    this.#tree = tree
  }

  /** Returns why the last write was refused, and forgets it. */
  takeRefusalReason(): string | null {
    const reason = this.#refusalReason
    this.#refusalReason = null
    return reason
  }

  // --- setup ---

  mkdirSync(path: string): void {
    this.#tree.entries.folders(path)
  }

  writeFileSync(path: string, content: FileContent): void {
    this.#tree.entries.folders(folderOf(path))
    this.#tree.write(path, bytesFrom(content), path.includes('/bin/') ? 0o755 : 0o644)
  }

  // --- reading ---

  async readFile(path: string, options?: Parameters<IFileSystem['readFile']>[1]): Promise<string> {
    const encoding = typeof options === 'string' ? options : options?.encoding
    return toText(await this.readFileBuffer(path), encoding ?? 'utf8')
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#tree.bytesOf(this.#tree.entries.findFile(path))
  }

  async exists(path: string): Promise<boolean> {
    try {
      return this.#tree.entries.get(this.#tree.entries.resolve(path, true)) !== undefined
    } catch {
      return false
    }
  }

  async stat(path: string): Promise<FsStat> {
    return this.#statOf(this.#tree.entries.find(path))
  }

  async lstat(path: string): Promise<FsStat> {
    const entry = this.#tree.entries.get(this.#tree.entries.resolve(path, false))
    if (!entry) throw new Refusal(MISSING)
    return this.#statOf(entry)
  }

  async readdir(path: string): Promise<string[]> {
    return [...this.#tree.entries.findFolder(path).names].sort()
  }

  async readdirWithFileTypes(
    path: string,
  ): Promise<{ name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean }[]> {
    const real = this.#tree.entries.resolve(path, true)
    const names = await this.readdir(real)
    return names.map((name) => {
      const kind = this.#tree.entries.get(real === '/' ? `/${name}` : `${real}/${name}`)?.kind
      return {
        name,
        isFile: kind === 'file',
        isDirectory: kind === 'folder',
        isSymbolicLink: kind === 'link',
      }
    })
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

  getAllPaths(): string[] {
    return this.#tree.entries.paths()
  }

  // --- writing ---

  async writeFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem['writeFile']>[2],
  ): Promise<void> {
    this.#write(path, (real) => {
      if (real !== NULL_DEVICE) this.#tree.write(real, bytesFrom(content, options))
    })
  }

  async appendFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem['writeFile']>[2],
  ): Promise<void> {
    const { entries } = this.#tree
    const entry = entries.get(entries.resolve(path, true))
    const before = entry?.kind === 'file' ? await this.#tree.bytesOf(entry) : new Uint8Array()
    this.#write(path, (real) => {
      if (real !== NULL_DEVICE) this.#tree.write(real, append(before, bytesFrom(content, options)))
    })
  }

  async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    this.#write(path, (real) => this.#folder(real, options?.recursive ?? false))
  }

  async rm(path: string, options?: RmOptions): Promise<void> {
    const { entries } = this.#tree
    this.#write(
      path,
      (real) => {
        if (entries.get(real)) this.#remove(real, options?.recursive ?? false)
        else if (!options?.force) throw new Refusal(MISSING)
      },
      false,
    )
  }

  async cp(from: string, to: string, options?: CpOptions): Promise<void> {
    const { entries } = this.#tree
    const source = entries.resolve(from, true)
    this.#write(to, (real) => {
      const entry = entries.find(source)
      if (entry.kind === 'folder' && !options?.recursive) throw new Refusal('Is a directory')
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
        this.#copy(source, real)
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

  async utimes(path: string, _atime: Date, mtime: Date): Promise<void> {
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

  /** Copies the file, because the tree has no hard links. */
  async link(from: string, to: string): Promise<void> {
    this.#write(
      to,
      (real) => {
        const entry = this.#tree.entries.find(from)
        if (entry.kind !== 'file') throw new Refusal(NOT_PERMITTED)
        if (this.#tree.entries.get(real)) throw new Refusal(EXISTS)
        this.#tree.put(real, entry)
      },
      false,
    )
  }

  #statOf(entry: TreeEntry): FsStat {
    const size = entry.kind === 'file' ? entry.size : entry.kind === 'link' ? entry.target.length : 0
    return {
      isFile: entry.kind === 'file',
      isDirectory: entry.kind === 'folder',
      isSymbolicLink: entry.kind === 'link',
      mode: entry.mode,
      size,
      mtime: entry.mtime,
      identity: String(this.#tree.entries.numberOf(entry)),
    }
  }

  /** Resolves the path, calls `write` with it, and records why it was refused, if it was. */
  #write(path: string, write: (real: string) => void, followsLast = true): void {
    this.#refusalReason = null
    try {
      write(this.#tree.entries.resolve(path, followsLast))
    } catch (error) {
      if (error instanceof Refusal) this.#refusalReason = error.reason
      throw error
    }
  }

  #folder(real: string, recursive: boolean): void {
    const existing = this.#tree.entries.get(real)
    if (existing && (!recursive || existing.kind !== 'folder')) throw new Refusal(EXISTS)
    if (existing) return
    if (recursive) this.#folder(folderOf(real), true)
    this.#tree.put(real, this.#tree.entries.folder())
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

  #copy(source: string, real: string): void {
    const { entries } = this.#tree
    const entry = entries.get(source)
    if (!entry) return
    if (entry.kind !== 'folder') return this.#tree.put(real, entry)
    const children = this.#childrenOf(source)
    if (entries.get(real)?.kind !== 'folder') this.#tree.put(real, { ...entries.folder(), mode: entry.mode })
    for (const child of children) this.#copy(child, `${real}/${baseName(child)}`)
  }
}

function bytesFrom(content: FileContent, options?: Parameters<IFileSystem['writeFile']>[2]): Uint8Array {
  const encoding = typeof options === 'string' ? options : options?.encoding
  // The bytes are copied, because just-bash may reuse its buffer.
  return typeof content === 'string' ? fromText(content, encoding ?? 'utf8') : content.slice()
}
