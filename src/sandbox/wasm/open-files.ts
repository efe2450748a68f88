// The table of file descriptors: opens, duplicates, seeks, reads and writes. tree.ts handles paths and
// permissions.

import { failed } from './errno.ts'

import type { Device, File, Folder, Node } from './nodes.ts'
import type { Tree } from './tree.ts'

const OPEN_MAX = 1024
/**
 * The capacity of a pipe. Its writer and reader are the same process, so nothing drains it while it is full.
 */
const PIPE_MAX_BYTES = 65_536
/**
 * Unchanged files of the host that are larger are evicted when they are closed; they can be fetched again.
 */
const KEEP_MAX_BYTES = 262_144

export const APPEND = 0x400

export interface Open {
  readonly node: Node
  readonly readable: boolean
  readonly writable: boolean
  flags: number
  position: number
  /** How many descriptors share it. */
  count: number
  /** A folder's names, captured at the first read so that the listing is stable. */
  names: readonly string[] | null
  /** The contents of a pipe. */
  readonly pipe: { bytes: Uint8Array } | null
}

/** The targets of the guest's standard streams. */
export interface Streams {
  readonly stdin: Uint8Array
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void
  random(bytes: Uint8Array): void
}

export class OpenFiles {
  readonly #tree: Tree
  readonly #streams: Streams
  readonly #table: (Open | undefined)[] = []
  #read = 0

  constructor(tree: Tree, streams: Streams) {
    this.#tree = tree
    this.#streams = streams
  }

  /** Assigns the lowest free descriptor from `from` on. */
  add(open: Open, from = 0): number {
    let fd = from
    while (this.#table[fd]) fd += 1
    if (fd >= OPEN_MAX) return failed('MFILE')
    this.#table[fd] = open
    open.count += 1
    if (open.count === 1 && open.node.kind === 'file') open.node.opens += 1
    return fd
  }

  open(node: Node, flags: number): number {
    const mode = flags & 3
    return this.add(opened(node, { readable: mode !== 1, writable: mode !== 0, flags, pipe: null }))
  }

  get(fd: number): Open | undefined {
    return this.#table[fd]
  }

  /** The two ends of a new pipe. */
  pipe(node: Device): readonly [number, number] {
    const pipe = { bytes: new Uint8Array(0) }
    const read = this.add(opened(node, { readable: true, writable: false, flags: 0, pipe }))
    return [read, this.add(opened(node, { readable: false, writable: true, flags: 1, pipe }))]
  }

  duplicate(from: number, to: number): number {
    const open = this.#table[from]
    if (!open) return failed('BADF')
    if (from === to) return failed('INVAL')
    if (to < 0 || to >= OPEN_MAX) return failed('BADF')
    if (this.#table[to]) this.close(to)
    return this.add(open, to)
  }

  close(fd: number): number {
    const open = this.#table[fd]
    if (!open) return failed('BADF')
    this.#table[fd] = undefined
    open.count -= 1
    if (open.count > 0 || open.node.kind !== 'file') return 0
    const file = open.node
    file.opens -= 1
    if (file.opens > 0) return 0
    if (!file.parent) this.#tree.release(file)
    else if (!file.dirty && file.source !== null && file.size > KEEP_MAX_BYTES) this.forget(file)
    return 0
  }

  /** Evicts bytes that can be fetched from the host again. */
  forget(file: File): void {
    this.#tree.quota.held -= file.bytes ? file.size : 0
    file.bytes = null
  }

  /**
   * Reads at offset `at`, or at the file position if null. Returns the number of bytes, 0 at the end of the
   * file, or a negative error number.
   */
  read(open: Open, into: Uint8Array, at: number | null): number {
    if (!open.readable) return failed('BADF')
    const { node } = open
    if (node.kind === 'folder') return failed('ISDIR')
    if (node.kind === 'device') return this.#readDevice(open, node, into)
    if (!node.bytes) return failed('IO')
    const from = at ?? open.position
    const length = Math.max(0, Math.min(into.length, node.size - from))
    into.set(node.bytes.subarray(from, from + length))
    if (at === null) open.position += length
    return length
  }

  #readDevice(open: Open, { device }: Device, into: Uint8Array): number {
    if (device === 'null' || device === 'stdout' || device === 'stderr') return 0
    if (device === 'pipe') return readPipe(open, into)
    if (device === 'zero') into.fill(0)
    else if (device === 'random') this.#streams.random(into)
    else {
      const bytes = this.#streams.stdin.subarray(this.#read, this.#read + into.length)
      into.set(bytes)
      this.#read += bytes.length
      return bytes.length
    }
    return into.length
  }

  /**
   * Writes at offset `at`, or at the file position if null. Returns the number of bytes or a negative error
   * number.
   */
  write(open: Open, bytes: Uint8Array, at: number | null): number {
    if (!open.writable) return failed('BADF')
    const { node } = open
    if (node.kind === 'folder') return failed('ISDIR')
    if (node.kind === 'device') return this.#writeDevice(open, node, bytes)
    const from = at ?? (open.flags & APPEND ? node.size : open.position)
    const end = from + bytes.length
    const refused = this.#tree.resize(node, bytes.length > 0 ? Math.max(end, node.size) : node.size)
    if (refused < 0) return refused
    node.bytes?.set(bytes, from)
    if (at === null) open.position = end
    return bytes.length
  }

  #writeDevice(open: Open, { device }: Device, bytes: Uint8Array): number {
    if (device === 'stdout' || device === 'stderr') this.#streams.write(device, bytes)
    if (device === 'stdin') return failed('BADF')
    if (device === 'pipe' && open.pipe) {
      if (open.pipe.bytes.length + bytes.length > PIPE_MAX_BYTES) return failed('AGAIN')
      const both = new Uint8Array(open.pipe.bytes.length + bytes.length)
      both.set(open.pipe.bytes)
      both.set(bytes, open.pipe.bytes.length)
      open.pipe.bytes = both
    }
    return bytes.length
  }

  /**
   * Moves the position: `whence` is 0 from the start, 1 from here, 2 from the end. Returns the new position.
   */
  seek(open: Open, offset: number, whence: number): number {
    const { node } = open
    if (node.kind === 'device') return failed('SPIPE')
    const base = whence === 0 ? 0 : whence === 1 ? open.position : whence === 2 ? sizeOf(node) : Number.NaN
    const position = base + offset
    if (!(position >= 0)) return failed('INVAL')
    open.position = position
    if (node.kind === 'folder' && position === 0) open.names = null
    return position
  }
}

function opened(node: Node, rest: Pick<Open, 'readable' | 'writable' | 'flags' | 'pipe'>): Open {
  return { node, position: 0, count: 0, names: null, ...rest }
}

function readPipe({ pipe }: Open, into: Uint8Array): number {
  // The reader is also the only writer, so an empty pipe is at its end.
  if (!pipe) return 0
  const length = Math.min(into.length, pipe.bytes.length)
  into.set(pipe.bytes.subarray(0, length))
  pipe.bytes = pipe.bytes.slice(length)
  return length
}

export function sizeOf(node: Node | Folder): number {
  return node.kind === 'file' ? node.size : node.kind === 'folder' ? 4096 : 0
}
