// Parses CSV and TSV text into the rows to show. Loads the parser on first use.

import { CELL_CHARS, TABLE_CELLS, TABLE_COLUMNS, TABLE_ROWS } from './limits.ts'

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** For each column, whether all its values are numbers. */
  readonly numeric: readonly boolean[]
  /** The number of rows in the file, without the head. */
  readonly count: number
  /** The number of columns in the file. */
  readonly columns: number
}

/** Parses a table. `isCut`: the text is only the beginning of the file, so its last row may be incomplete and is dropped. */
export async function parseTable(text: string, isCut: boolean): Promise<Table> {
  const { default: papa } = await import('papaparse')
  const parsed = papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: true })
  const allRows = isCut ? parsed.data.slice(0, -1) : parsed.data
  const columns = allRows.reduce((most, row) => Math.max(most, row.length), 0)
  const width = Math.min(columns, TABLE_COLUMNS)
  const most = Math.min(TABLE_ROWS, Math.floor(TABLE_CELLS / Math.max(1, width)))
  const [head = [], ...rows] = allRows.slice(0, most + 1).map((row) => fitRow(row, width))
  const numeric = head.map((_, column) => rows.length > 0 && rows.every((row) => isNumber(row[column] ?? '')))
  return { head, rows, numeric, count: Math.max(0, allRows.length - 1), columns }
}

function fitRow(row: readonly string[], width: number): readonly string[] {
  return Array.from({ length: width }, (_, column) => {
    const cell = row[column] ?? ''
    return cell.length > CELL_CHARS ? `${cell.slice(0, CELL_CHARS)}…` : cell
  })
}

function isNumber(cell: string): boolean {
  return /^\s*[-+]?[$€£]?\d[\d,.\s]*%?\s*$/.test(cell) || cell.trim() === ''
}
