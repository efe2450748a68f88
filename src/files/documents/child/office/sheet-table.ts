// One sheet as a Markdown table: columns by their letters, rows by their numbers, nothing where nothing stands.

import { DOCUMENT_TABLE_COLUMNS_MAX } from '../../../../limits/files.ts'
import { tableRow, tableRule, type Lines } from '../common/markdown.ts'
import { letters, type Sheet } from './sheet.ts'

import type { TimeBudget } from '../common/pace.ts'

const LISTED = 20

/** Adds the table and what is to be known of it. Why not all of it is there; null: all of it is. */
export async function printSheet(sheet: Sheet, lines: Lines, pace: TimeBudget): Promise<string | null> {
  const { rows, ended } = sheet
  if (rows.length === 0) {
    lines.add(ended === 'damaged' ? '(Damaged: nothing of it can be read.)' : '(Empty.)')
    return ended === 'damaged' ? 'damaged.' : null
  }
  for (const note of notes(sheet)) lines.add(note)
  lines.gap()
  // Columns that nothing stands in are left out: sheets reach far to the right for one note.
  const all = [...new Set(rows.flatMap(({ cells }) => cells.map(([column]) => column)))].toSorted(
    (a, b) => a - b,
  )
  const columns = all.slice(0, DOCUMENT_TABLE_COLUMNS_MAX)
  const places = new Map(columns.map((column, place) => [column, place + 1]))
  lines.add(tableRow(['', ...columns.map(letters)]))
  lines.add(tableRule(columns.length + 1))
  let last = 0
  for (const { number, cells } of rows) {
    const row = [String(number)]
    for (const [column, text] of cells) {
      const place = places.get(column)
      if (place === undefined) continue
      while (row.length < place) row.push('')
      row[place] = text
    }
    const line = tableRow(row)
    if (!lines.add(line)) break
    last = number
    // What was read in time is printed, however late it is.
    const turn = ended === 'late' ? null : pace.did(line.length)
    if (turn) await turn
  }
  const parts = [
    all.length > columns.length ? `Columns up to ${letters(columns.at(-1) ?? 0)} are here.` : '',
    lines.full || ended === 'full' || ended === 'late' ? upTo(last, sheet) : '',
    ended === 'damaged' ? `damaged behind row ${rows.at(-1)?.number}.` : '',
  ].filter((part) => part !== '')
  return parts.join(' ') || null
}

function upTo(last: number, { lastRow, ended }: Sheet): string {
  const of = lastRow > last ? ` of ${lastRow}` : ''
  return `rows up to ${last}${of} are here${ended === 'late' ? ', then its time was over' : ''}.`
}

function notes({ merged, hiddenColumns, uncomputed, rows }: Sheet): readonly string[] {
  const hidden = rows.filter((row) => row.hidden).map(({ number }) => String(number))
  return [
    listed('Merged cells (what they hold stands in the first)', merged),
    listed('Hidden columns', hiddenColumns),
    listed('Hidden rows', hidden),
    uncomputed === 0 ? '' : `${uncomputed} formulas have no stored result and are shown as formulas.`,
  ].filter((note) => note !== '')
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : ''
  return `${what}: ${names.slice(0, LISTED).join(', ')}${more}.`
}
