// The rows of a thread that a fork gets, as the tables declare it, in the order of reading and writing.

import { THREAD_TABLES } from '../rows/schema.ts'

interface Copied {
  /** Selects the rows before `cut`. */
  readonly select: string
  readonly key: string
  /** The tables of a selected row's columns, in their order. */
  readonly into: readonly string[]
}

export const COPIED: readonly Copied[] = Object.entries(THREAD_TABLES).flatMap(([name, { key, fork }]) => {
  if (typeof fork === 'string') return []
  if ('where' in fork) return [{ key, select: `SELECT * FROM ${name} WHERE ${fork.where}`, into: [name] }]
  return [{ key, select: fork.select, into: fork.brings === undefined ? [name] : [name, fork.brings] }]
})
