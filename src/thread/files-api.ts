// What the HTTP layer passes to a Thread object to store a file.

import type { FileBody } from '../agent/tool.ts'

/** A store object for an upload: write the bytes under the key first, then put the file. */
export interface StagedFile {
  /** The ID of the object's row. */
  readonly object: number
  readonly key: string
  /** The maximum number of bytes that the object may have, according to the current limits. */
  readonly maxBytes: number
  /**
   * Keep this handle until the file is put. Once it is released, unused bytes are deleted within
   * FINISHED_UPLOAD_RETENTION_MS.
   */
  readonly upload: Disposable
}

export interface FilePut {
  /** In canonical form (`filePath`). */
  readonly path: string
  readonly body: FileBody
  /**
   * The required current version: a SHA-256, `*` for any file, or null for no file. If absent, any version is
   * overwritten.
   */
  readonly expect?: string | null
  /** Whether to choose a free name instead of overwriting an existing file. */
  readonly rename?: boolean
}
