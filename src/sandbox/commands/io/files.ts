// The files that a command can access. Paths may be relative to the working directory. Links are followed unless
// stated otherwise.

import type { ByteReader } from './reader.ts'
import type { ByteWriter } from './writer.ts'

/** The message is that of `strerror`, such as "No such file or directory". */
export class FileError extends Error {
  override readonly name = 'FileError'
}

export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'link'
  /** Size in bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Unix time in milliseconds. */
  readonly mtimeMs: number
  readonly inode: number
}

/** Methods throw a `FileError` if they fail. */
export interface CommandFiles {
  /** Permissions that new files and folders do not get. */
  readonly umask: number
  /** Returns the absolute path without `.` and `..`. Does not follow links. */
  resolve(path: string): string
  /** Resolves to null if there is no such file. */
  stat(path: string): Promise<FileStatus | null>
  /** Like `stat`, but for a link itself. */
  lstat(path: string): Promise<FileStatus | null>
  /** Lists names in byte order, without `.` and `..`. */
  list(path: string): Promise<readonly string[]>
  /** Opens a file for reading from byte `from` on. `-` has no special meaning. */
  open(path: string, from?: number): Promise<ByteReader>
  /** Reads a whole file. */
  read(path: string): Promise<Uint8Array>
  /** Reads the bytes from `from` to `to` (exclusive), without loading the rest if the host supports it. */
  readRange(path: string, from: number, to: number): Promise<Uint8Array>
  /** Creates or replaces a file. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** Opens a file for writing in chunks. It is complete after `flush`. */
  create(path: string, options?: { readonly append?: boolean }): Promise<ByteWriter>
  makeDirectory(path: string, options?: { readonly parents?: boolean }): Promise<void>
  /** Removes a file, a link or an empty folder; with `recursive`, also a folder with its contents. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  /** Copies one file. */
  copy(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  setTime(path: string, mtimeMs: number): Promise<void>
  /** Creates a symbolic link at `path`. */
  link(target: string, path: string): Promise<void>
  readLink(path: string): Promise<string>
  /** Resolves all links in a path. The file must exist. */
  realPath(path: string): Promise<string>
}
