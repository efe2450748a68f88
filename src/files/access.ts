// What the agent's tools may see and do of the thread's files. Failures are words for the model.

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
  /** The model heard of it: of an upload. */
  readonly told: boolean
  /** The model knows what is in it now: it read it, or wrote it. */
  readonly known: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** How an upload is named among the sources of untrusted content. */
export function uploadSource({ path }: Pick<FileRow, 'path'>): string {
  return `upload:${path}`
}

/** What a program made of one path. */
export interface Rewrite {
  readonly path: string
  /** Null: it removed the file. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Sha-256 of what was there when the program began; null: nothing. */
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
   * A change that writes these bytes, for a result's `changes`: nothing is there until that result is written down. It
   * fails where the model does not know what it would overwrite, the path clashes or a quota is reached; and later, as
   * the result, where somebody else changed the file meanwhile.
   */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Result<FileChange, string>>
  /**
   * Changes that a program made, for a result's `changes`: all of them or none. The model need not know what it overwrites,
   * and does not know what is there then. Files that hold what they held are left out. Fails as `write` does.
   */
  rewrite(changes: readonly Rewrite[]): Promise<Result<readonly FileChange[], string>>
  /** The file as a block that a result may hold; its bytes are pinned when the result is written down. */
  image(row: FileRow, mediaType: string): FileImageBlock
}
