// What each table of a thread declares: what becomes of its rows when the thread is forked, deleted or exported.

import type { SqlTable } from '../../lib/tables.ts'

interface Rule {
  /** The columns that name and order its rows: its first ones. */
  readonly key: string
  /** 'none': a fork gets none of its rows; 'anew': it writes its own. Else rows are copied as they are, in the order of the tables. */
  readonly fork: 'none' | 'anew' | { readonly where: string } | Selected
  /**
   * With the thread, in the reverse order of the tables. False: kept, as long as the deletion itself is. `where`: of these rows;
   * others go when their bytes in the store are gone.
   */
  readonly removed: boolean | { readonly where: string }
  /** Whether an export of a person's data is to have it: what people and the model wrote, and what runs came to. */
  readonly exported: boolean
}

/** `where` and `select` may ask `cut`, a row: `message`, `at`, and `images` as a JSON list. */
interface Selected {
  /** Answers the columns of the table, in their order, with the values that the fork gets. */
  readonly select: string
  /** Behind them come the columns of this table, for a row there. */
  readonly brings?: string
}

export type ThreadTable = SqlTable<Rule>
