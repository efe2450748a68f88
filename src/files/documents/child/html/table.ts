// Recognizes data tables and converts them to Markdown. Tables that are used for layout are read as text.

import { DOCUMENT_TABLE_COLUMNS_MAX } from '../../../../limits/files.ts'
import { cellText, tableRow, tableRule } from '../common/markdown.ts'
import { childrenOf, elementsOf, isElement, type DomElement } from './dom.ts'

const NOT_IN_DATA_TABLES: ReadonlySet<string> = new Set(['table', 'pre', 'h1', 'h2', 'article'])
const ROW_GROUPS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])
/** Length of a cell in a data table. Longer cells belong to the layout of a page. */
const CELL_MAX_CHARS = 2_000
const COLUMN_SPAN_MAX = 50

/** Whether the table contains data: at least two columns, and short cells without blocks. */
export function isDataTable(table: DomElement): boolean {
  if (table.getAttribute('role') === 'presentation' || elementsOf(table, NOT_IN_DATA_TABLES).length > 0)
    return false
  const rows = rowsOf(table).map(cellsOf)
  const cells = rows.flat()
  if (cells.length === 0 || rows.every((row) => row.length < 2)) return false
  return cells.every((cell) => (cell.textContent ?? '').length <= CELL_MAX_CHARS)
}

function rowsOf(table: DomElement): readonly DomElement[] {
  return elementChildren(table).flatMap((child) =>
    ROW_GROUPS.has(child.localName) ? elementChildren(child).filter(isRow) : isRow(child) ? [child] : [],
  )
}

/** Yields the lines of a table: its caption, then its rows. The first row becomes the heading. */
export function* tableLines(table: DomElement, markdown: (cell: DomElement) => string): Generator<string> {
  const caption = elementChildren(table).find(({ localName }) => localName === 'caption')
  const title = caption ? markdown(caption).replace(/\s+/g, ' ') : ''
  if (title !== '') {
    yield title
    yield ''
  }
  const rows = rowsOf(table).map(cellsOf)
  const widths = rows.map((row) => row.reduce((sum, cell) => sum + spanOf(cell), 0))
  const columns = Math.min(
    DOCUMENT_TABLE_COLUMNS_MAX,
    widths.reduce((most, width) => Math.max(most, width), 0),
  )
  for (const [index, row] of rows.entries()) {
    const texts = row.flatMap((cell) => [
      cellText(markdown(cell).replace(/\s*\n\s*/g, '\n')),
      ...Array<string>(spanOf(cell) - 1).fill(''),
    ])
    yield tableRow(Array.from({ length: columns }, (_, column) => texts[column] ?? ''))
    if (index === 0) yield tableRule(columns)
  }
}

function spanOf(cell: DomElement): number {
  const span = Number.parseInt(cell.getAttribute('colspan') ?? '1', 10)
  return span > 1 ? Math.min(COLUMN_SPAN_MAX, span) : 1
}

function isRow({ localName }: DomElement): boolean {
  return localName === 'tr'
}

function cellsOf(row: DomElement): readonly DomElement[] {
  return elementChildren(row).filter(({ localName }) => localName === 'td' || localName === 'th')
}

function elementChildren(node: DomElement): readonly DomElement[] {
  return childrenOf(node).filter(isElement)
}
