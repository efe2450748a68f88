// Files of SQLite in memory. They are loaded on first use, and report what has changed.

import { negativeErrno } from '../wasm/errno.ts'
import { isFilePosition } from '../wasm/guest-numbers.ts'
import { after } from './calls.ts'
import type { OrPromise, SqliteFileFacts, SqliteFiles, SqliteOpenFile, SqliteOpenMode } from './files.ts'

/** Loads a file: its bytes, null if it does not exist, or an error number. */
export type LoadFile = (path: string) => OrPromise<LoadedFile | null | number>

export interface LoadedFile {
  readonly bytes: Uint8Array
  readonly writable: boolean
}

interface HeldFile {
  bytes: Uint8Array
  size: number
  writable: boolean
  readonly inode: number
  dirty: boolean
}

const FOLDER: SqliteFileFacts = { kind: 'folder', size: 4096, inode: 1, writable: true, changedMs: 0 }

export class MemoryFiles implements SqliteFiles {
  readonly cwd: string
  readonly #load: LoadFile
  readonly #maxBytes: number
  /** The files by path; null if a file does not exist, or no longer exists. */
  readonly #files = new Map<string, HeldFile | null>()
  readonly #removed = new Set<string>()
  #inodes = 1

  constructor(cwd: string, load: LoadFile, maxBytes: number) {
    this.cwd = cwd
    this.#load = load
    this.#maxBytes = maxBytes
  }

  /** The files that were written or removed (null) since the last call. */
  takeChanges(): ReadonlyMap<string, Uint8Array | null> {
    const changes = new Map<string, Uint8Array | null>()
    for (const [path, file] of this.#files)
      if (file?.dirty) {
        changes.set(path, file.bytes.slice(0, file.size))
        file.dirty = false
      }
    for (const path of this.#removed) if (!changes.has(path)) changes.set(path, null)
    this.#removed.clear()
    return changes
  }

  facts(path: string): OrPromise<SqliteFileFacts | number> {
    return after(this.#find(path), (file) => {
      if (typeof file === 'number') return file === negativeErrno('ISDIR') ? FOLDER : file
      return file ? factsOf(file) : negativeErrno('NOENT')
    })
  }

  open(path: string, mode: SqliteOpenMode): OrPromise<SqliteOpenFile | number> {
    return after(this.#find(path), (found) => {
      if (typeof found === 'number') return found
      if (!found && !mode.creates) return negativeErrno('NOENT')
      if (found && mode.creates && mode.exclusive) return negativeErrno('EXIST')
      if (found && mode.writes && !found.writable) return negativeErrno('ACCES')
      const file = found ?? this.#create(path)
      if (mode.truncates) resize(file, 0, this.#maxBytes)
      return this.#opened(file)
    })
  }

  remove(path: string): OrPromise<number> {
    return after(this.#find(path), (file) => {
      if (typeof file === 'number') return file
      if (!file) return negativeErrno('NOENT')
      this.#files.set(path, null)
      this.#removed.add(path)
      return 0
    })
  }

  #find(path: string): OrPromise<HeldFile | null | number> {
    const held = this.#files.get(path)
    if (held !== undefined) return held
    return after(this.#load(path), (loaded) => {
      if (typeof loaded === 'number') return loaded
      const file = loaded && {
        bytes: loaded.bytes,
        size: loaded.bytes.length,
        writable: loaded.writable,
        inode: (this.#inodes += 1),
        dirty: false,
      }
      this.#files.set(path, file)
      return file
    })
  }

  #create(path: string): HeldFile {
    const file = {
      bytes: new Uint8Array(0),
      size: 0,
      writable: true,
      inode: (this.#inodes += 1),
      dirty: true,
    }
    this.#files.set(path, file)
    this.#removed.delete(path)
    return file
  }

  #opened(file: HeldFile): SqliteOpenFile {
    const max = this.#maxBytes
    return {
      facts: () => factsOf(file),
      read(buffer, offset) {
        const part = file.bytes.subarray(offset, Math.min(file.size, offset + buffer.length))
        buffer.set(part)
        return part.length
      },
      write(bytes, offset) {
        const result = resize(file, Math.max(file.size, offset + bytes.length), max)
        if (result < 0) return result
        file.bytes.set(bytes, offset)
        return bytes.length
      },
      resize: (size) => resize(file, size, max),
      close: () => {},
    }
  }
}

function factsOf({ size, inode, writable }: HeldFile): SqliteFileFacts {
  return { kind: 'file', size, inode, writable, changedMs: 0 }
}

/** Resizes a file and marks it as changed. Copies the bytes, because the loaded ones must not be modified. */
function resize(file: HeldFile, size: number, maxBytes: number): number {
  if (!isFilePosition(size)) return negativeErrno('INVAL')
  if (size > maxBytes) return negativeErrno('NOSPC')
  if (size > file.bytes.length || !file.dirty) {
    const grown = new Uint8Array(Math.max(size, Math.min(maxBytes, Math.ceil(file.size * 1.25))))
    grown.set(file.bytes.subarray(0, Math.min(file.size, size)))
    file.bytes = grown
  } else if (size < file.size) file.bytes.fill(0, size, file.size)
  file.size = size
  file.dirty = true
  return 0
}
