// Converts a workbook to text. Each sheet becomes a table with column letters, row numbers and cells as they are displayed. Formulas
// are not computed; their stored results are shown.

import { DOCUMENT_SHARED_CHARS_MAX, DOCUMENT_SHARED_STRINGS_MAX } from '../common/limits.ts'
import { Lines } from '../common/markdown.ts'
import { numberFormats } from './number-format.ts'
import { DocumentRefused, type TimeBudget } from '../common/pace.ts'
import { readSheet, type CellContext } from './sheet.ts'
import { printSheet } from './sheet-table.ts'

import type { DocumentText } from '../../document.ts'
import type { Package } from './package.ts'

interface SheetEntry {
  readonly name: string
  readonly hidden: boolean
  readonly part: string | null
}

export async function readXlsx(parts: Package, pace: TimeBudget): Promise<DocumentText> {
  const relations = await parts.relations(parts.main)
  const partOf = (type: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? ''
  const sheets: SheetEntry[] = []
  let is1904 = false
  await parts.xml(parts.main, {
    open(name, attributes) {
      if (name === 'x:workbookPr') is1904 = /^(1|true|on)$/.test(attributes.get('date1904') ?? '')
      if (name !== 'x:sheet') return
      const relation = relations.get(attributes.get('r:id') ?? '')
      sheets.push({
        name: (attributes.get('name') ?? '').replace(/\s+/g, ' ').slice(0, 200),
        hidden: /hidden/i.test(attributes.get('state') ?? ''),
        part: relation?.type === 'worksheet' ? relation.target : null,
      })
    },
  })
  if (sheets.length === 0)
    throw new DocumentRefused('The workbook is damaged: it lists no sheets. Ask the user to send it again.')
  const cells: CellContext = {
    shared: await sharedStrings(parts, partOf('sharedStrings')),
    formatNumber: await numberFormats(parts, partOf('styles'), is1904),
  }
  return readSheets(parts, sheets, cells, pace)
}

async function readSheets(
  parts: Package,
  sheets: readonly SheetEntry[],
  cells: CellContext,
  pace: TimeBudget,
): Promise<DocumentText> {
  const lines = new Lines()
  const missing: string[] = []
  const omitted: string[] = []
  let late = false
  for (const { name, hidden, part } of sheets) {
    if (lines.full || late) {
      omitted.push(name)
      continue
    }
    lines.gap()
    lines.add(`## Sheet ${name}${hidden ? ' (hidden)' : ''}`)
    lines.gap()
    if (part === null || !parts.has(part)) {
      lines.add('(No table: a chart, or a sheet that is missing from the file.)')
      continue
    }
    const sheet = await readSheet(parts, part, cells)
    late = sheet.endReason === 'late'
    const printed = await printSheet(sheet, lines, pace)
    if (printed !== null) missing.push(`Sheet ${name}: ${printed}`)
  }
  if (omitted.length > 0)
    missing.push(
      `Sheets left out: ${omitted.slice(0, 20).join(', ')}${omitted.length > 20 ? ' and more' : ''}.`,
    )
  const advice =
    'The other data is only in the original file. Process it with a script, or ask the user for the relevant part.'
  return {
    text: lines.text(),
    parts: sheets.length,
    cut: missing.length > 0 ? `${missing.slice(0, 20).join(' ')} ${advice}` : null,
  }
}

/** The shared strings, to which cells refer by index, without phonetic hints. */
async function sharedStrings(parts: Package, part: string): Promise<readonly string[]> {
  const strings: string[] = []
  let [text, chars, inText, phonetic] = ['', 0, false, false]
  await parts.xml(part, {
    open(name) {
      if (name === 'x:si') text = ''
      if (name === 'x:rPh') phonetic = true
      inText = name === 'x:t' && !phonetic
    },
    text(piece) {
      if (!inText) return
      chars += piece.length
      if (chars > DOCUMENT_SHARED_CHARS_MAX || strings.length > DOCUMENT_SHARED_STRINGS_MAX)
        throw new DocumentRefused(
          'The workbook has more text than the limit allows. Ask the user for a part of it, or for its sheets as CSV.',
        )
      text += piece
    },
    close(name) {
      if (name === 'x:si') strings.push(text)
      if (name === 'x:rPh') phonetic = false
      inText = false
    },
  })
  return strings
}
