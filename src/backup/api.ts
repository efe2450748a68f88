// The backup interface of every object: returns its rows page by page, and restores them.

import type { Result } from '../lib/result.ts'

export interface RowsPage {
  /**
   * Lines of JSON: `{"table", "columns"}`, then a list of values for each row of that table. Bytes are `{"b": base64}`.
   */
  readonly text: string
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null
  /** Differs from the value on an earlier page if the object has changed since. */
  readonly changes: string
}

export interface RestoredPage {
  readonly text: string
  /** Whether this is the object's first page. It removes the rows of an attempt that was interrupted. */
  readonly first: boolean
  /** How many rows all pages of the object have; null unless this is its last page. */
  readonly rows: number | null
  /**
   * False if the object changed while it was backed up. A row that was written anew meanwhile may then be in two pages, and the later
   * one replaces the earlier.
   */
  readonly isExact: boolean
}

export interface BackupApi {
  /** Fails with `not_found` if the object has no rows, or is being deleted. */
  backupRows(cursor: string | null): Promise<Result<RowsPage>>
  /**
   * Writes a page into an object that has no rows of its own. After the last page, runs that were open have ended, and nothing
   * waits to be done or sent. Failures: `not_empty`, `invalid_archive`.
   */
  restoreRows(page: RestoredPage): Promise<Result<null>>
}
