// Extracts from pages of rows what the rest of a backup needs: keys of files, addresses of skill bytes, and thread
// IDs.

type Values = Readonly<Record<string, unknown>>

interface Head {
  readonly table: string
  readonly columns: readonly string[]
}

/** Calls `visit` for each row of the given tables. Returns the number of rows in all tables. */
export function visitRows(
  page: string,
  tables: readonly string[],
  visit: (table: string, row: Values) => void,
): number {
  let head: Head | null = null
  let rows = 0
  for (const line of page.split('\n')) {
    if (line.startsWith('{')) head = JSON.parse(line) as Head // the server's own format
    if (!line.startsWith('[')) continue
    rows += 1
    if (!head || !tables.includes(head.table)) continue
    const values = JSON.parse(line) as readonly unknown[] // the server's own format
    visit(head.table, Object.fromEntries(head.columns.map((column, index) => [column, values[index]])))
  }
  return rows
}
