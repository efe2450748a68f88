// The rules that each table of a thread declares for its rows when the thread is forked, deleted or exported.

import type { SqlTable } from '../../lib/tables.ts'

interface Rule {
  /** The columns that identify and order the table's rows. They must be its first columns. */
  readonly key: string
  /**
   * 'none': a fork gets no rows. 'rewritten': the fork writes new rows. Otherwise, rows are copied unchanged, in
   * the order of the tables.
   */
  readonly fork: 'none' | 'rewritten' | { readonly where: string } | Selected
  /**
   * Whether the rows are deleted with the thread, in the reverse order of the tables. If false, they are kept
   * as long as the deletion record. With `where`, only the matching rows are deleted with the thread; the
   * other rows are deleted after their bytes in the store.
   */
  readonly removed: boolean | { readonly where: string }
  /**
   * Whether an export of a person's data includes the table: the texts of people and the model, and the
   * results of runs.
   */
  readonly exported: boolean
}

/**
 * `where` and `select` may query `cut`, which has one row with `message`, `at`, and `images` as a JSON list.
 */
interface Selected {
  /** Selects the columns of the table in order, with their values for the fork. */
  readonly select: string
  /** Another table: the columns of one of its rows follow in each selected row. */
  readonly joinedTable?: string
}

export type ThreadTable = SqlTable<Rule>
