// Prints one sheet as a Markdown table with column letters and row numbers.

import { DOCUMENT_TABLE_COLUMNS_MAX } from '../../../../limits/files.ts'
import { tableRow, tableRule, type Lines } from '../common/markdown.ts'
import { letters, type Sheet } from './sheet.ts'

import type { TimeBudget } from '../common/pace.ts'

/** Maximum number of names that a note lists. */
const LISTED_MAX = 20

/** Adds the table and its notes to the lines. Returns why the table is incomplete, or null if it is complete. */
export async function printSheet(sheet: Sheet, lines: Lines, pace: TimeBudget): Promise<string | null> {
  const { rows, endReason } = sheet
  if (rows.length === 0) {
    lines.add(endReason === 'damaged' ? '(Damaged: none of it can be read.)' : '(Empty.)')
    return endReason === 'damaged' ? 'damaged.' : null
  }
  for (const note of notes(sheet)) lines.add(note)
  lines.gap()
  // Empty columns are omitted, because a single note far to the right may create thousands of them.
  const allColumns = [...new Set(rows.flatMap(({ cells }) => cells.map(([column]) => column)))].toSorted(
    (a, b) => a - b,
  )
  const columns = allColumns.slice(0, DOCUMENT_TABLE_COLUMNS_MAX)
  const positions = new Map(columns.map((column, position) => [column, position + 1]))
  lines.add(tableRow(['', ...columns.map(letters)]))
  lines.add(tableRule(columns.length + 1))
  let last = 0
  for (const { number, cells } of rows) {
    const row = [String(number)]
    for (const [column, text] of cells) {
      const position = positions.get(column)
      if (position === undefined) continue
      while (row.length < position) row.push('')
      row[position] = text
    }
    const line = tableRow(row)
    if (!lines.add(line)) break
    last = number
    // Rows that were read in time are printed even after the deadline.
    const yieldNow = endReason === 'late' ? null : pace.countWork(line.length)
    if (yieldNow) await yieldNow
  }
  const parts = [
    allColumns.length > columns.length ? `columns up to ${letters(columns.at(-1) ?? 0)} follow.` : '',
    lines.full || endReason === 'full' || endReason === 'late' ? upTo(last, sheet) : '',
    endReason === 'damaged' ? `damaged after row ${rows.at(-1)?.number}.` : '',
  ].filter((part) => part !== '')
  return parts.join(' ') || null
}

function upTo(lastPrinted: number, { lastRow, endReason }: Sheet): string {
  const total = lastRow > lastPrinted ? ` of ${lastRow}` : ''
  return `rows up to ${lastPrinted}${total} follow${endReason === 'late' ? ', because reading took too long' : ''}.`
}

function notes({ merged, hiddenColumns, uncomputed, rows }: Sheet): readonly string[] {
  const hidden = rows.filter((row) => row.hidden).map(({ number }) => String(number))
  return [
    listed('Merged cells (the first has the content)', merged),
    listed('Hidden columns', hiddenColumns),
    listed('Hidden rows', hidden),
    uncomputed === 0 ? '' : `${uncomputed} formulas have no stored result and are shown as formulas.`,
  ].filter((note) => note !== '')
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : ''
  return `${what}: ${names.slice(0, LISTED_MAX).join(', ')}${more}.`
}
