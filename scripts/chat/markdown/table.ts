// Fits a table into a terminal: with columns, narrower with wrapped cells, or, if that is too wide, each row as
// lines of `header: cell`. Cells are styled already.

import { columnsOf, hanging, padded, wrapped } from '../../lib/wrap.ts'

import type { Look } from './look.ts'

/** Narrower columns show syllables. */
const CELL_MIN = 8
const GAP = ' │ '

export interface MarkdownTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Which columns are right-aligned. */
  readonly right: readonly boolean[]
}

export function renderTable(table: MarkdownTable, width: number, look: Look): readonly string[] {
  const widths = fitting(table, look, width - GAP.length * (table.head.length - 1))
  if (widths === null) return records(table, width, look)
  const line = (cells: readonly string[]): readonly string[] => side(cells, widths, table.right, look)
  const rule = widths.map((columns) => '─'.repeat(columns)).join('─┼─')
  return [...line(table.head.map((name) => look.strong(name))), look.quiet(rule), ...table.rows.flatMap(line)]
}

/** The width of each column: its longest cell, the widest narrowed first. Null if it does not fit. */
function fitting({ head, rows }: MarkdownTable, look: Look, room: number): readonly number[] | null {
  const widths = head.map((name, at) =>
    Math.max(columnsOf(look.strong(name)), ...rows.map((row) => columnsOf(row[at] ?? ''))),
  )
  let over = widths.reduce((sum, columns) => sum + columns, 0) - room
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= CELL_MIN) return null
    const next = Math.max(CELL_MIN, ...widths.filter((columns) => columns < widest))
    const at = widths.indexOf(widest)
    const less = Math.min(over, widest - Math.min(next, widest - 1))
    widths[at] = widest - less
    over -= less
  }
  return widths
}

function side(
  cells: readonly string[],
  widths: readonly number[],
  right: readonly boolean[],
  look: Look,
): readonly string[] {
  const columns = widths.map((columns, at) => wrapped(cells[at] ?? '', columns))
  const height = Math.max(...columns.map((lines) => lines.length))
  return Array.from({ length: height }, (_, row) =>
    widths
      .map((width, at) => padded(columns[at]?.[row] ?? '', width, right[at] ?? false))
      .join(look.quiet(GAP))
      .trimEnd(),
  )
}

function records({ head, rows }: MarkdownTable, width: number, look: Look): readonly string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [look.quiet('─'.repeat(Math.min(width, CELL_MIN)))]),
    ...row.flatMap((cell, at) => hanging(`${look.strong(head[at] ?? '')}: ${cell}`, width, '', '  ')),
  ])
}
