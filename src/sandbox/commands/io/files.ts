// The files that a command sees. Paths may be relative to the working directory; links are followed unless stated.

import type { ByteReader } from './reader.ts'
import type { ByteWriter } from './writer.ts'

/** `message` as in `strerror`: "No such file or directory". */
export class FileError extends Error {
  override readonly name = 'FileError'
}

export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'link'
  /** Bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Unix time in milliseconds. */
  readonly mtimeMs: number
  readonly inode: number
}

/** A method that fails throws a `FileError`. */
export interface CommandFiles {
  /** The permissions that new files and folders do not have. */
  readonly umask: number
  /** The absolute path, without `.` and `..`; links are not followed. */
  resolve(path: string): string
  /** Null if there is no such file. */
  stat(path: string): Promise<FileStatus | null>
  /** Like `stat`, of a link itself. */
  lstat(path: string): Promise<FileStatus | null>
  /** Names without `.` and `..`, sorted by bytes. */
  list(path: string): Promise<readonly string[]>
  /** Reads a file from the byte `from` on; `-` is not treated specially. */
  open(path: string, from?: number): Promise<ByteReader>
  /** The whole file. */
  read(path: string): Promise<Uint8Array>
  /** Bytes `from` to `to` (exclusive) of a file, without reading the rest where the host allows it. */
  readRange(path: string, from: number, to: number): Promise<Uint8Array>
  /** Replaces or creates a file. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** Writes in chunks; the file is complete after `flush`. */
  create(path: string, options?: { readonly append?: boolean }): Promise<ByteWriter>
  makeDirectory(path: string, options?: { readonly parents?: boolean }): Promise<void>
  /** A file, a link or an empty directory; with `recursive` anything. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  /** Copies one file. */
  copy(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  setTime(path: string, mtimeMs: number): Promise<void>
  /** Makes a symbolic link at `path`. */
  link(target: string, path: string): Promise<void>
  readLink(path: string): Promise<string>
  /** The path with all links followed; the file must exist. */
  realPath(path: string): Promise<string>
}
