// The texts of a Markdown table, and how its columns are laid out: numbers and short texts fit their content, other texts have a
// minimum width. Pure.

import type { Token } from 'markdown-it'

import { cellKind } from '../lib/numbers.ts'
import { SHORT_CELL_CHARS_MAX } from './limits.ts'

export type CellRows = readonly (readonly string[])[]

export interface Columns {
  /** Adds rows of the table's body. */
  add(rows: CellRows): void
  /** The classes of the table element, one for each column that fits its content, such as `number-2`. */
  classes(): string
}

/** The text of each cell, by row. */
export function cellsOf(tokens: readonly Token[]): CellRows {
  const rows: string[][] = []
  for (const { type, children } of tokens) {
    if (type === 'tr_open') rows.push([])
    if (type === 'inline') rows.at(-1)?.push(plainText(children ?? []))
  }
  return rows
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
}

/** Looks at each cell once, so that a growing table does not become slow. */
export function createColumns(): Columns {
  const columns: { hasNumber: boolean; hasText: boolean; length: number }[] = []
  return {
    add(rows) {
      for (const row of rows)
        for (const [index, cell] of row.entries()) {
          const column = (columns[index] ??= { hasNumber: false, hasText: false, length: 0 })
          const kind = cellKind(cell)
          column.hasNumber ||= kind === 'number'
          column.hasText ||= kind === 'text'
          column.length = Math.max(column.length, cell.length)
        }
    },
    classes: () =>
      columns
        .flatMap(({ hasNumber, hasText, length }, index) => {
          if (hasNumber && !hasText) return [`number-${index + 1}`]
          return length <= SHORT_CELL_CHARS_MAX ? [`short-${index + 1}`] : []
        })
        .join(' '),
  }
}
