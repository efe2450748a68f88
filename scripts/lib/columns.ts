// Formats tables as text.

import { paint } from './terminal.ts'

/** Formats rows as lines in which each column is as wide as its widest cell. `rightAligned` contains column indexes. */
export function formatColumns(
  rows: readonly (readonly string[])[],
  rightAligned: ReadonlySet<number> = new Set(),
): string[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((cells) => (cells[index] ?? '').length)),
  )
  return rows.map((cells) =>
    cells
      .map((cell, index) =>
        rightAligned.has(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** A table whose head is dim. */
export function dimHeadTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned?: ReadonlySet<number>,
): readonly string[] {
  const [first = '', ...others] = formatColumns([head, ...rows], rightAligned)
  return [paint('dim', first), ...others]
}
