// Formats tables as text.

/** Lines in which each column is as wide as its widest cell. Columns in `right` are aligned to the right. */
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
