// What every object does for a backup: it passes on its rows, page by page, and takes them back.

import type { Result } from '../lib/result.ts'

export interface RowsPage {
  /**
   * Lines of JSON: `{"table", "columns"}`, then a list of values for each row of that table. Bytes are `{"b": base64}`.
   */
  readonly text: string
  /** Where the next page begins; null if this is the last one. */
  readonly next: string | null
  /** Differs from that of an earlier page if the object has changed since. */
  readonly changes: string
}

export interface RestoredPage {
  readonly text: string
  /** Whether this is the object's first page. It removes the rows of an attempt that was interrupted. */
  readonly first: boolean
  /** How many rows all pages of the object have; null unless this is its last page. */
  readonly rows: number | null
}

export interface BackupApi {
  /** Fails with `not_found` if the object has nothing, or is being deleted. */
  backupRows(cursor: string | null): Promise<Result<RowsPage>>
  /**
   * Writes a page into an object that has no rows of its own. After the last page, runs that were open have ended, and nothing
   * waits to be done or sent. Failures: `not_empty`, `invalid_archive`.
   */
  restoreRows(page: RestoredPage): Promise<Result<null>>
}
