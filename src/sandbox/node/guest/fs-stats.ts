// The classes Stats and Dirent of node:fs. They contain data only.

/** The host's description of a file. */
export interface HostStats {
  readonly kind: 'file' | 'folder' | 'device'
  readonly mode: number
  readonly size: number
  readonly inode: number
  readonly changedMs: number
}

const KIND_BITS = 0o170_000
const KINDS = { file: 0o100_000, folder: 0o040_000, device: 0o020_000 } as const

export class Stats {
  readonly dev: number | bigint = 1
  readonly mode: number | bigint
  readonly nlink: number | bigint = 1
  readonly uid: number | bigint = 0
  readonly gid: number | bigint = 0
  readonly rdev: number | bigint = 0
  readonly blksize: number | bigint = 4_096
  readonly ino: number | bigint
  readonly size: number | bigint
  readonly blocks: number | bigint
  readonly atimeMs: number | bigint
  readonly mtimeMs: number | bigint
  readonly ctimeMs: number | bigint
  readonly birthtimeMs: number | bigint

  constructor({ mode, size, inode, changedMs }: HostStats) {
    this.mode = mode
    this.ino = inode
    this.size = size
    this.blocks = Math.ceil(size / 512)
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = changedMs
  }

  get atime(): Date {
    return new Date(Number(this.atimeMs))
  }

  get mtime(): Date {
    return new Date(Number(this.mtimeMs))
  }

  get ctime(): Date {
    return new Date(Number(this.ctimeMs))
  }

  get birthtime(): Date {
    return new Date(Number(this.birthtimeMs))
  }

  isFile(): boolean {
    return (Number(this.mode) & KIND_BITS) === KINDS.file
  }

  isDirectory(): boolean {
    return (Number(this.mode) & KIND_BITS) === KINDS.folder
  }

  isCharacterDevice(): boolean {
    return (Number(this.mode) & KIND_BITS) === KINDS.device
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

/** The result with `bigint: true`: bigint values, and times in nanoseconds. */
export class BigIntStats extends Stats {
  readonly atimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly birthtimeNs: bigint

  constructor(stats: HostStats) {
    super(stats)
    for (const [name, value] of Object.entries(this))
      if (typeof value === 'number')
        Object.defineProperty(this, name, {
          value: BigInt(Math.trunc(value)),
          enumerable: true,
        })
    const ns = BigInt(Math.trunc(stats.changedMs)) * 1_000_000n
    this.atimeNs = this.mtimeNs = this.ctimeNs = this.birthtimeNs = ns
  }
}

const typeSymbol = Symbol('type')
/** Node's numbers of entry types. */
const TYPES: Readonly<Record<string, number>> = { file: 1, folder: 2, device: 6 }

export class Dirent {
  readonly name: string
  readonly parentPath: string
  readonly path: string
  readonly [typeSymbol]: number

  constructor(name: string, kind: string, parentPath: string) {
    this.name = name
    this.parentPath = this.path = parentPath
    this[typeSymbol] = TYPES[kind] ?? 0
  }

  isFile(): boolean {
    return this[typeSymbol] === TYPES['file']
  }

  isDirectory(): boolean {
    return this[typeSymbol] === TYPES['folder']
  }

  isCharacterDevice(): boolean {
    return this[typeSymbol] === TYPES['device']
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
