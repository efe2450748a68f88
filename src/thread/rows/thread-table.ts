// What each table of a thread declares: what happens to its rows when the thread is forked, deleted or exported.

import type { SqlTable } from '../../lib/tables.ts'

interface Rule {
  /** The columns that name and order its rows: the first ones. */
  readonly key: string
  /**
   * 'none': a fork gets none of its rows; 'anew': it writes its own. Otherwise rows are copied unchanged, in the order
   * of the tables.
   */
  readonly fork: 'none' | 'anew' | { readonly where: string } | Selected
  /**
   * Deleted with the thread, in the reverse order of the tables. False: kept as long as the deletion record. `where`:
   * only these rows; the others are deleted once their bytes in the store are.
   */
  readonly removed: boolean | { readonly where: string }
  /** Whether an export of a person's data includes it: what people and the model wrote, and the results of runs. */
  readonly exported: boolean
}

/** `where` and `select` may query `cut`, a row with `message`, `at`, and `images` as a JSON list. */
interface Selected {
  /** Selects the columns of the table, in their order, with the values for the fork. */
  readonly select: string
  /** The columns of this table follow, for one of its rows. */
  readonly brings?: string
}

export type ThreadTable = SqlTable<Rule>
