// The parts of a thread that are copied to a fork, as declared by the tables, in the order of reading and
// writing.

import { THREAD_TABLES } from '../rows/schema.ts'

interface CopiedPart {
  /** A query for the rows before the cut. It may use the table `cut` (see thread-table.ts). */
  readonly select: string
  readonly key: string
  /** The tables that the columns of a selected row belong to, in column order. */
  readonly tables: readonly string[]
}

export const COPIED_PARTS: readonly CopiedPart[] = Object.entries(THREAD_TABLES).flatMap(
  ([name, { key, fork }]) => {
    if (typeof fork === 'string') return []
    if ('where' in fork) return [{ key, select: `SELECT * FROM ${name} WHERE ${fork.where}`, tables: [name] }]
    return [
      {
        key,
        select: fork.select,
        tables: fork.joinedTable === undefined ? [name] : [name, fork.joinedTable],
      },
    ]
  },
)
