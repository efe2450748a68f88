// The nodes of a guest's tree: folders, files and a few devices. Shapes and constructors only.

export interface Folder {
  readonly kind: 'folder'
  readonly inode: number
  /** Whether the guest may change its entries. */
  readonly writable: boolean
  readonly entries: Map<string, Node>
  parent: Folder | null
  name: string
  changedMs: number
}

export interface File {
  readonly kind: 'file'
  readonly inode: number
  readonly writable: boolean
  parent: Folder | null
  name: string
  changedMs: number
  size: number
  /** May be longer than `size`; null while only the host has them, under `source`. */
  bytes: Uint8Array | null
  readonly source: string | null
  /** Whether the guest wrote to it. */
  dirty: boolean
  /** How often it is open. */
  opens: number
}

/** `job` is the caller's order: it exists until it is opened. */
export interface Device {
  readonly kind: 'device'
  readonly inode: number
  readonly device: 'null' | 'zero' | 'random' | 'stdin' | 'stdout' | 'stderr' | 'pipe'
  readonly writable: boolean
  parent: Folder | null
  name: string
  changedMs: number
}

export type Node = Folder | File | Device
