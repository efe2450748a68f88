// The port through which the agent's tools read and change a thread's files. Failures are messages for the model.

import type { FileImageBlock } from '../agent/message.ts'
import type { FileChange } from '../agent/tool.ts'
import type { Result } from '../lib/result.ts'

export interface FileRow {
  /** Relative to the root of the tree. */
  readonly path: string
  readonly object: number
  readonly sha256: string
  readonly bytes: number
  readonly type: string
  readonly origin: 'upload' | 'tool'
  /** Whether a message has announced this upload to the model. Always true for files of tools. */
  readonly announced: boolean
  /** Whether the model has read or written this content. */
  readonly known: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** The name under which an upload is recorded as a source of untrusted content. */
export function uploadSource({ path }: Pick<FileRow, 'path'>): string {
  return `upload:${path}`
}

/** Content that is too large for memory. */
export interface StreamedContent {
  readonly bytes: number
  /** The content in parts. Rejects if it cannot be read. */
  readonly parts: () => AsyncIterable<Uint8Array>
}

/** Bytes that a program wrote before it ended. */
export interface KeptBytes {
  readonly object: number
  readonly bytes: number
}

/** A change that a program made to one path. */
export interface Rewrite {
  readonly path: string
  /** The new content, or null if the program removed the file. */
  readonly content: Uint8Array<ArrayBuffer> | StreamedContent | null
  /** The SHA-256 of the content when the program started, or null if there was no file. */
  readonly expect: string | null
}

export interface FileAccess {
  /** All files, sorted by path. */
  list(): readonly FileRow[]
  get(path: string): FileRow | undefined
  /** The path of a file or folder that differs from this path only in letter case or Unicode form, or null if there is none. */
  pathVariant(path: string): string | null
  read(row: FileRow): Promise<Result<Uint8Array, string>>
  /** The bytes `offset` to `offset + length`, which must be within the file. */
  readRange(row: FileRow, offset: number, length: number): Promise<Result<Uint8Array, string>>
  /**
   * Prepares a change that writes these bytes, for a result's `changes`. The file changes when the result is stored. Fails if the
   * model does not know the content that it would overwrite, if the path conflicts with another, or if a quota would be exceeded.
   * Storing the result fails if the file has changed in the meantime.
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Result<FileChange, string>>
  /**
   * Prepares the changes that a program made, for a result's `changes`; either all of them are stored or none. The model need not
   * have read the overwritten content and does not know the new content. Unchanged files are omitted. Fails as `write` does.
   */
  rewrite(changes: readonly Rewrite[]): Promise<Result<readonly FileChange[], string>>
  /** Stores bytes that are part of no file until they are discarded, or an hour later. Fails as `write` does. */
  keep(bytes: Uint8Array): Promise<Result<KeptBytes, string>>
  /** The bytes `offset` to `offset + length`, which must be within the kept bytes. */
  readKept(kept: KeptBytes, offset: number, length: number): Promise<Result<Uint8Array, string>>
  /** Removes kept bytes. Never rejects: what cannot be removed now is swept later. */
  discard(kept: readonly KeptBytes[]): Promise<void>
  /** The file as an image block for a result. Its bytes are kept from the time the result is stored. */
  image(row: FileRow, mediaType: string): FileImageBlock
}
