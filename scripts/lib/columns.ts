// Rows of cells as lines with equal columns.

/** `right`: numeric columns. The widest cell of a column sets its width. */
export function columns(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => (cells[at] ?? '').length)))
  return rows.map((cells) =>
    cells
      .map((cell, at) => (right.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
