// Parses CSV and TSV text into the rows to show. Loads the parser on first use.

import { cellKind } from '../../lib/numbers.ts'
import { CELL_CHARS_MAX, TABLE_CELLS_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX } from './limits.ts'

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** For each column, whether all its values are numbers. */
  readonly isNumeric: readonly boolean[]
  /** The number of rows in the file, without the head. */
  readonly rowCount: number
  /** The number of columns in the file. */
  readonly columnCount: number
}

/** Parses a table. `isCut`: the text is only the beginning of the file, so its last row may be incomplete and is dropped. */
export async function parseTable(text: string, isCut: boolean): Promise<Table> {
  const { default: papa } = await import('papaparse')
  const parsed = papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: true })
  const allRows = isCut ? parsed.data.slice(0, -1) : parsed.data
  const columnCount = allRows.reduce((widest, row) => Math.max(widest, row.length), 0)
  const columnsShown = Math.min(columnCount, TABLE_COLUMNS_MAX)
  const rowsShown = Math.min(TABLE_ROWS_MAX, Math.floor(TABLE_CELLS_MAX / Math.max(1, columnsShown)))
  const [head = [], ...rows] = allRows.slice(0, rowsShown + 1).map((row) => fitRow(row, columnsShown))
  const isNumeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => cellKind(row[column] ?? '') !== 'text'),
  )
  return { head, rows, isNumeric, rowCount: Math.max(0, allRows.length - 1), columnCount }
}

function fitRow(row: readonly string[], width: number): readonly string[] {
  return Array.from({ length: width }, (_, column) => {
    const cell = row[column] ?? ''
    return cell.length > CELL_CHARS_MAX ? `${cell.slice(0, CELL_CHARS_MAX)}…` : cell
  })
}
