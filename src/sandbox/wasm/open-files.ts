// The table of file descriptors: opens, duplicates, seeks, reads and writes. tree.ts handles paths and
// permissions.

import { negativeErrno } from './errno.ts'
import { isFilePosition } from './guest-numbers.ts'

import type { Device, File, Folder, Node } from './nodes.ts'
import type { Tree } from './tree.ts'

const DESCRIPTORS_MAX = 1024
/**
 * The capacity of all pipes together. The writer and the reader are the same process, so nothing is read from a full pipe
 * while the process writes.
 */
const PIPES_MAX_BYTES = 8_388_608
/** Larger files of the host are evicted when they are closed unchanged, because they can be fetched again. */
const CACHED_FILE_MAX_BYTES = 262_144

export const APPEND = 0x400

/** An open file description, as POSIX calls it. Several descriptors may share it. */
export interface OpenFile {
  readonly node: Node
  readonly readable: boolean
  readonly writable: boolean
  flags: number
  position: number
  /** How many descriptors share this description. */
  descriptorCount: number
  /** A folder's names, captured at the first read so that the listing is stable. */
  names: readonly string[] | null
  /** A part of a file whose bytes are only on the host. */
  window: { readonly start: number; readonly bytes: Uint8Array } | null
  /** The contents of a pipe. */
  readonly pipe: Pipe | null
}

interface Pipe {
  /** Data that was written but not read yet. */
  readonly chunks: Uint8Array[]
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
  readonly #table: (OpenFile | undefined)[] = []
  #stdinOffset = 0
  /** The number of bytes in all pipes. */
  #pipedBytes = 0

  constructor(tree: Tree, streams: Streams) {
    this.#tree = tree
    this.#streams = streams
  }

  /** Assigns the lowest free descriptor from `from` on. */
  add(open: OpenFile, from = 0): number {
    let fd = from
    while (this.#table[fd]) fd += 1
    if (fd >= DESCRIPTORS_MAX) return negativeErrno('MFILE')
    this.#table[fd] = open
    open.descriptorCount += 1
    if (open.descriptorCount === 1 && open.node.kind === 'file') open.node.openCount += 1
    return fd
  }

  open(node: Node, flags: number): number {
    const mode = flags & 3
    return this.add(createOpenFile(node, { readable: mode !== 1, writable: mode !== 0, flags, pipe: null }))
  }

  get(fd: number): OpenFile | undefined {
    return this.#table[fd]
  }

  /** The two ends of a new pipe. */
  pipe(node: Device): readonly [number, number] {
    const pipe = { chunks: [] }
    const readEnd = this.add(createOpenFile(node, { readable: true, writable: false, flags: 0, pipe }))
    return [readEnd, this.add(createOpenFile(node, { readable: false, writable: true, flags: 1, pipe }))]
  }

  duplicate(from: number, to: number): number {
    const open = this.#table[from]
    if (!open) return negativeErrno('BADF')
    if (from === to) return negativeErrno('INVAL')
    if (to < 0 || to >= DESCRIPTORS_MAX) return negativeErrno('BADF')
    if (this.#table[to]) this.close(to)
    return this.add(open, to)
  }

  close(fd: number): number {
    const open = this.#table[fd]
    if (!open) return negativeErrno('BADF')
    this.#table[fd] = undefined
    open.descriptorCount -= 1
    if (open.descriptorCount > 0) return 0
    if (open.readable) this.takePiped(open)
    if (open.node.kind !== 'file') return 0
    const file = open.node
    file.openCount -= 1
    if (file.openCount > 0) return 0
    if (!file.parent) this.#tree.release(file)
    else if (!file.dirty && file.source !== null && file.size > CACHED_FILE_MAX_BYTES) this.evict(file)
    return 0
  }

  /** Evicts bytes that can be fetched from the host again. */
  evict(file: File): void {
    this.#tree.quota.cachedBytes -= file.bytes ? file.size : 0
    file.bytes = null
  }

  /**
   * Reads at `offset`, or at the file position if it is null. Returns the number of bytes, 0 at the end of the file, or
   * a negative error number.
   */
  read(open: OpenFile, buffer: Uint8Array, offset: number | null): number {
    if (!open.readable) return negativeErrno('BADF')
    const { node } = open
    if (node.kind === 'folder') return negativeErrno('ISDIR')
    if (node.kind === 'device') return this.#readDevice(open, node, buffer)
    if (!node.bytes) return negativeErrno('IO')
    const from = offset ?? open.position
    if (!isFilePosition(from)) return negativeErrno('INVAL')
    const length = Math.max(0, Math.min(buffer.length, node.size - from))
    buffer.set(node.bytes.subarray(from, from + length))
    if (offset === null) open.position += length
    return length
  }

  #readDevice(open: OpenFile, { device }: Device, buffer: Uint8Array): number {
    if (device === 'null' || device === 'stdout' || device === 'stderr') return 0
    if (device === 'pipe') return this.#readPipe(open, buffer)
    if (device === 'zero') buffer.fill(0)
    else if (device === 'random') this.#streams.random(buffer)
    else {
      const bytes = this.#streams.stdin.subarray(this.#stdinOffset, this.#stdinOffset + buffer.length)
      buffer.set(bytes)
      this.#stdinOffset += bytes.length
      return bytes.length
    }
    return buffer.length
  }

  /**
   * Writes at `offset`, or at the file position if it is null. Returns the number of bytes or a negative error number.
   */
  write(open: OpenFile, bytes: Uint8Array, offset: number | null): number {
    if (!open.writable) return negativeErrno('BADF')
    const { node } = open
    if (node.kind === 'folder') return negativeErrno('ISDIR')
    if (node.kind === 'device') return this.#writeDevice(open, node, bytes)
    const from = offset ?? (open.flags & APPEND ? node.size : open.position)
    if (!isFilePosition(from)) return negativeErrno('INVAL')
    const end = from + bytes.length
    const result = this.#tree.resize(node, bytes.length > 0 ? Math.max(end, node.size) : node.size)
    if (result < 0) return result
    node.bytes?.set(bytes, from)
    if (offset === null) open.position = end
    return bytes.length
  }

  #writeDevice(open: OpenFile, { device }: Device, bytes: Uint8Array): number {
    if (device === 'stdout' || device === 'stderr') this.#streams.write(device, bytes)
    if (device === 'stdin') return negativeErrno('BADF')
    if (device === 'pipe' && open.pipe) {
      if (this.#pipedBytes + bytes.length > PIPES_MAX_BYTES) return negativeErrno('AGAIN')
      this.#pipedBytes += bytes.length
      open.pipe.chunks.push(bytes.slice())
    }
    return bytes.length
  }

  #readPipe({ pipe }: Pick<OpenFile, 'pipe'>, buffer: Uint8Array): number {
    let length = 0
    // The reader is also the only writer, so an empty pipe is at its end.
    for (let chunk = pipe?.chunks[0]; chunk && length < buffer.length; chunk = pipe?.chunks[0]) {
      const part = chunk.subarray(0, buffer.length - length)
      buffer.set(part, length)
      length += part.length
      if (part.length < chunk.length) pipe?.chunks.splice(0, 1, chunk.subarray(part.length))
      else pipe?.chunks.shift()
    }
    this.#pipedBytes -= length
    return length
  }

  /** Takes and returns everything that was written to a pipe but not read; null if it is not a pipe. */
  takePiped({ pipe }: OpenFile): Uint8Array | null {
    if (!pipe) return null
    const bytes = new Uint8Array(pipe.chunks.reduce((sum, chunk) => sum + chunk.length, 0))
    this.#readPipe({ pipe }, bytes)
    return bytes
  }

  /** The part of standard input that the guest did not read. */
  get unreadInput(): Uint8Array {
    return this.#streams.stdin.slice(this.#stdinOffset)
  }

  /**
   * Moves the position. `whence` is 0 to count from the start, 1 from the current position, and 2 from the end. Returns
   * the new position.
   */
  seek(open: OpenFile, offset: number, whence: number): number {
    const { node } = open
    if (node.kind === 'device') return negativeErrno('SPIPE')
    const base = whence === 0 ? 0 : whence === 1 ? open.position : whence === 2 ? sizeOf(node) : Number.NaN
    const position = base + offset
    if (!isFilePosition(position)) return negativeErrno('INVAL')
    open.position = position
    if (node.kind === 'folder' && position === 0) open.names = null
    return position
  }
}

function createOpenFile(
  node: Node,
  properties: Pick<OpenFile, 'readable' | 'writable' | 'flags' | 'pipe'>,
): OpenFile {
  return { node, position: 0, descriptorCount: 0, names: null, window: null, ...properties }
}

export function sizeOf(node: Node | Folder): number {
  return node.kind === 'file' ? node.size : node.kind === 'folder' ? 4096 : 0
}
