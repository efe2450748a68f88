// What the agent's tools may see and change of a thread's files. Failures are messages for the model.

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
  /** An upload was announced to the model in a message. */
  readonly announced: boolean
  /** The model read or wrote these contents. */
  readonly known: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** The name of an upload as a source of untrusted content. */
export function uploadSource({ path }: Pick<FileRow, 'path'>): string {
  return `upload:${path}`
}

/** What a program did to one path. */
export interface Rewrite {
  readonly path: string
  /** Null if the file was removed. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** SHA-256 of the content when the program began; null if there was no file. */
  readonly expect: string | null
}

export interface FileAccess {
  /** Every file, sorted by path. */
  list(): readonly FileRow[]
  get(path: string): FileRow | undefined
  /** A file or folder whose path differs from this one in letter case or Unicode form alone. */
  twin(path: string): string | null
  read(row: FileRow): Promise<Result<Uint8Array, string>>
  /**
   * A change that writes these bytes, for a result's `changes`. The file changes when the result is stored. Fails when
   * the model does not know the content that it would overwrite, when the path clashes, or when a quota is reached. The
   * result fails later when somebody else changed the file meanwhile.
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Result<FileChange, string>>
  /**
   * Changes by a program, for a result's `changes`: all or none. The model need not have read what they overwrite, and
   * does not know the new content. Unchanged files are left out. Fails like `write`.
   */
  rewrite(changes: readonly Rewrite[]): Promise<Result<readonly FileChange[], string>>
  /** The file as a block of a result. Its bytes are pinned when the result is stored. */
  image(row: FileRow, mediaType: string): FileImageBlock
}
