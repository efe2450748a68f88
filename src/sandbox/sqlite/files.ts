// The files as SQLite uses them. A failure is a negative error number; a promise suspends SQLite.

export interface SqliteFileFacts {
  readonly kind: 'file' | 'folder'
  readonly size: number
  readonly inode: number
  readonly writable: boolean
  readonly changedMs: number
}

export interface SqliteOpenFile {
  facts(): SqliteFileFacts
  /** Fills the buffer from `offset`. Returns the number of bytes, which is smaller at the end of the file. */
  read(buffer: Uint8Array, offset: number): number | Promise<number>
  /** Writes all bytes, or returns an error number. */
  write(bytes: Uint8Array, offset: number): number | Promise<number>
  resize(size: number): number | Promise<number>
  close(): void
}

/** Paths are absolute. */
export interface SqliteFiles {
  readonly cwd: string
  open(path: string, mode: SqliteOpenMode): OrPromise<SqliteOpenFile | number>
  facts(path: string): OrPromise<SqliteFileFacts | number>
  remove(path: string): OrPromise<number>
}

export interface SqliteOpenMode {
  readonly writes: boolean
  readonly creates: boolean
  readonly exclusive: boolean
  readonly truncates: boolean
}

export type OrPromise<T> = T | Promise<T>
