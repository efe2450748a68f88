// Stats and Dirent of node:fs. Shapes only.

/** The host's description of a file. */
export interface HostStats {
  readonly kind: 'file' | 'folder' | 'device'
  readonly mode: number
  readonly size: number
  readonly inode: number
  readonly changedMs: number
}

class Kind {
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  isFile(): boolean {
    return this.#kind === 'file'
  }

  isDirectory(): boolean {
    return this.#kind === 'folder'
  }

  isCharacterDevice(): boolean {
    return this.#kind === 'device'
  }

  isSymbolicLink(): boolean {
    return false
  }

  isFIFO(): boolean {
    return false
  }

  isSocket(): boolean {
    return false
  }

  isBlockDevice(): boolean {
    return false
  }
}

export class Stats extends Kind {
  readonly dev = 1
  readonly mode: number
  readonly nlink = 1
  readonly uid = 0
  readonly gid = 0
  readonly rdev = 0
  readonly blksize = 4096
  readonly ino: number
  readonly size: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
  readonly birthtime: Date

  constructor({ kind, mode, size, inode, changedMs }: HostStats) {
    super(kind)
    this.mode = mode
    this.ino = inode
    this.size = size
    this.blocks = Math.ceil(size / 512)
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = changedMs
    this.atime = this.mtime = this.ctime = this.birthtime = new Date(changedMs)
  }
}

export class Dirent extends Kind {
  readonly name: string
  readonly parentPath: string
  readonly path: string

  constructor(name: string, kind: string, parentPath: string) {
    super(kind)
    this.name = name
    this.parentPath = this.path = parentPath
  }
}
