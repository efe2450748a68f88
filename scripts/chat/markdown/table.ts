// Fits a table into a terminal: in columns, if necessary with wrapped cells; or, if that is still too wide,
// each row as lines of `header: cell`. Cells are already styled.

import { columnsOf, wrapHanging, padded, wrapped } from '../../lib/wrap.ts'

import type { MarkdownStyle } from './style.ts'

/** Minimum width of a column; a narrower one would break most words. */
const COLUMN_MIN_WIDTH = 8
const COLUMN_SEPARATOR = ' │ '

export interface MarkdownTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Which columns are right-aligned. */
  readonly isRightAligned: readonly boolean[]
}

export function renderTable(table: MarkdownTable, width: number, style: MarkdownStyle): readonly string[] {
  const widths = fitColumns(table, style, width - COLUMN_SEPARATOR.length * (table.head.length - 1))
  if (widths === null) return renderAsRecords(table, width, style)
  const line = (cells: readonly string[]): readonly string[] =>
    renderRow(cells, widths, table.isRightAligned, style)
  const rule = widths.map((columns) => '─'.repeat(columns)).join('─┼─')
  return [
    ...line(table.head.map((name) => style.strong(name))),
    style.muted(rule),
    ...table.rows.flatMap(line),
  ]
}

/**
 * The width of each column: that of its longest cell, or less to fit into `available` (the widest columns
 * shrink first). Null if the table does not fit.
 */
function fitColumns(
  { head, rows }: MarkdownTable,
  style: MarkdownStyle,
  available: number,
): readonly number[] | null {
  const widths = head.map((name, column) =>
    Math.max(columnsOf(style.strong(name)), ...rows.map((row) => columnsOf(row[column] ?? ''))),
  )
  let excess = widths.reduce((sum, columns) => sum + columns, 0) - available
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= COLUMN_MIN_WIDTH) return null
    const secondWidest = Math.max(COLUMN_MIN_WIDTH, ...widths.filter((columns) => columns < widest))
    const reduction = Math.min(excess, widest - Math.min(secondWidest, widest - 1))
    widths[widths.indexOf(widest)] = widest - reduction
    excess -= reduction
  }
  return widths
}

/** One row of the table, with its cells side by side. */
function renderRow(
  cells: readonly string[],
  widths: readonly number[],
  isRightAligned: readonly boolean[],
  style: MarkdownStyle,
): readonly string[] {
  const columns = widths.map((width, column) => wrapped(cells[column] ?? '', width))
  const height = Math.max(...columns.map((lines) => lines.length))
  return Array.from({ length: height }, (_, row) =>
    widths
      .map((width, column) => padded(columns[column]?.[row] ?? '', width, isRightAligned[column] ?? false))
      .join(style.muted(COLUMN_SEPARATOR))
      .trimEnd(),
  )
}

function renderAsRecords(
  { head, rows }: MarkdownTable,
  width: number,
  style: MarkdownStyle,
): readonly string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [style.muted('─'.repeat(Math.min(width, COLUMN_MIN_WIDTH)))]),
    ...row.flatMap((cell, column) =>
      wrapHanging(`${style.strong(head[column] ?? '')}: ${cell}`, width, '', '  '),
    ),
  ])
}
