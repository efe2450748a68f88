// Types and constructors for the nodes of a guest's tree: folders, files and a few devices.

import type { HostPiece } from '../guest.ts'

export interface Folder {
  readonly kind: 'folder'
  readonly inode: number
  /** Whether the guest may change its entries. */
  readonly writable: boolean
  readonly entries: Map<string, Node>
  parent: Folder | null
  name: string
  changedMs: number
  /** The mode that was set; null if none was. */
  mode: number | null
}

/** Where the host has the content of a file: under a path, or in pieces, which may be followed by bytes. */
export type ContentSource = string | { readonly pieces: readonly HostPiece[]; readonly bytes: Uint8Array }

export interface File {
  readonly kind: 'file'
  readonly inode: number
  readonly writable: boolean
  parent: Folder | null
  name: string
  changedMs: number
  /** The mode that was set; null if none was. */
  mode: number | null
  size: number
  /**
   * A buffer that may be longer than `size`; null while only the host has the content, under the handle
   * `source`.
   */
  bytes: Uint8Array | null
  source: ContentSource | null
  /** The pack that contains the file of a package; null for all other files. */
  readonly pack: Pack | null
  /** Whether the guest wrote to it. */
  dirty: boolean
  /** Whether the shell already has the file's changes, because a child received them. */
  isReported: boolean
  /** How many open descriptors refer to the file. */
  openCount: number
}

/** The bytes of several files of a package, which are fetched together. */
export interface Pack {
  readonly source: string
  readonly bytes: number
  readonly files: { readonly file: File; readonly offset: number }[]
}

/** The device `job` contains the request of the caller, and disappears when it is opened. */
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
