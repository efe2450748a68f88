// The deployment's packages in a guest's tree: read-only files whose bytes arrive in packs, one or two for each package.
// A pack is fetched when one of its files is opened, and kept for later jobs.

import { negativeErrno } from './errno.ts'
import { PACKS_KEPT_MAX_BYTES } from './limits.ts'

import type { File, Folder, Pack } from './nodes.ts'
import type { GuestRun } from './run.ts'
import type { Tree } from './tree.ts'

/** The index of all packs, as scripts/runtimes/packages.ts writes it. */
export interface PackageIndex {
  readonly packs: readonly {
    /** The handle by which the host finds the bytes. */
    readonly source: string
    /** The folder that contains the files, such as `/node_modules`. */
    readonly folder: string
    /** Paths below the folder, and sizes in bytes, in the order of the bytes. */
    readonly files: readonly (readonly [path: string, bytes: number])[]
  }[]
}

/** The time of all files, 1980-01-01, which every archive format can store. */
const CHANGED_MS = 315_532_800_000
/** The first inode, far above those of the job's own files. */
const FIRST_INODE = 1_000_000_000

export class Packages {
  readonly #packs: readonly Pack[]
  readonly #mounts = new Map<string, Folder>()
  #inodes = FIRST_INODE

  /** `bytes` is the index as JSON. */
  constructor(bytes: ArrayBuffer) {
    // The cast is safe: scripts/runtimes/packages.ts wrote the index.
    const { packs } = JSON.parse(new TextDecoder().decode(bytes)) as PackageIndex
    this.#packs = packs.map(({ source, folder, files }) => {
      const mount = this.#mounts.get(folder) ?? this.#folder(null, folder.slice(folder.lastIndexOf('/') + 1))
      this.#mounts.set(folder, mount)
      const pack: Pack = { source, bytes: files.reduce((sum, [, size]) => sum + size, 0), files: [] }
      let offset = 0
      for (const [path, size] of files) {
        pack.files.push({ file: this.#file(mount, path, size, pack), offset })
        offset += size
      }
      return pack
    })
  }

  /** Adds the packages to the tree of a job. */
  mount(tree: Tree): void {
    for (const { files } of this.#packs) for (const { file } of files) file.openCount = 0
    for (const [path, folder] of this.#mounts) {
      folder.parent = tree.folders(path.slice(0, path.lastIndexOf('/')))
      folder.parent.entries.set(folder.name, folder)
    }
  }

  /** Fetches the pack of a file. Returns 0 or a negative error number, also if open files leave no room for it. */
  async load({ meter, fetch }: Pick<GuestRun, 'meter' | 'fetch'>, pack: Pack): Promise<number> {
    if (!this.#makeRoom(pack.bytes)) return negativeErrno('NOMEM')
    const bytes = await meter.within(fetch(pack.source, pack.bytes))
    if (bytes?.length !== pack.bytes) return negativeErrno('IO')
    for (const { file, offset } of pack.files) file.bytes = bytes.subarray(offset, offset + file.size)
    return 0
  }

  /** Drops packs without open files until there is room for this many bytes. Returns whether there is. */
  #makeRoom(bytes: number): boolean {
    const kept = this.#packs.filter(({ files }) => files.some(({ file }) => file.bytes !== null))
    let keptBytes = kept.reduce((sum, pack) => sum + pack.bytes, bytes)
    for (const pack of kept) {
      if (keptBytes <= PACKS_KEPT_MAX_BYTES) return true
      if (pack.files.some(({ file }) => file.openCount > 0)) continue
      for (const { file } of pack.files) file.bytes = null
      keptBytes -= pack.bytes
    }
    return keptBytes <= PACKS_KEPT_MAX_BYTES
  }

  #file(mount: Folder, path: string, size: number, pack: Pack): File {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let parent = mount
    for (const folderName of names) {
      const existing = parent.entries.get(folderName)
      parent = existing?.kind === 'folder' ? existing : this.#folder(parent, folderName)
    }
    const file: File = {
      kind: 'file',
      inode: (this.#inodes += 1),
      writable: false,
      parent,
      name,
      changedMs: CHANGED_MS,
      mode: null,
      size,
      bytes: null,
      source: null,
      pack,
      dirty: false,
      isReported: false,
      openCount: 0,
    }
    parent.entries.set(name, file)
    return file
  }

  #folder(parent: Folder | null, name: string): Folder {
    const folder: Folder = {
      kind: 'folder',
      inode: (this.#inodes += 1),
      writable: false,
      entries: new Map(),
      parent,
      name,
      changedMs: CHANGED_MS,
      mode: null,
    }
    parent?.entries.set(name, folder)
    return folder
  }
}
