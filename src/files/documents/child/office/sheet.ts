// Reads the cells of one sheet as they are displayed, up to the text limit of a document.

import { DOCUMENT_TEXT_MAX_CHARS } from '../common/limits.ts'
import { cellText } from '../common/markdown.ts'
import { OutOfTime } from '../common/pace.ts'

import type { FormatNumber } from './number-format.ts'
import type { Package } from './package.ts'
import type { XmlAttributes } from './xml.ts'

/** The shared strings and number formats, to which the cells of all sheets refer. */
export interface CellContext {
  readonly shared: readonly string[]
  readonly formatNumber: FormatNumber
}

interface SheetRow {
  readonly number: number
  readonly hidden: boolean
  /** The column number (from 1) and the text of each cell that is not empty. */
  readonly cells: readonly (readonly [column: number, text: string])[]
}

export interface Sheet {
  readonly rows: readonly SheetRow[]
  readonly merged: readonly string[]
  /** The hidden columns, such as `B` or `B:D`. */
  readonly hiddenColumns: readonly string[]
  /** The number of formulas without a stored result, which are shown as formulas. */
  readonly uncomputed: number
  /** The number of the last row that the sheet declares, or 0 if it declares none. */
  readonly lastRow: number
  /** Why reading ended: at the end of the sheet, at the text limit (full), at the deadline (late), or in a truncated sheet (damaged). */
  readonly endReason: 'whole' | 'full' | 'late' | 'damaged'
}

const MERGED_MAX = 1_000
/** Number of characters that printing adds to the text of a cell and of a row. */
const CELL_CHARS = 3
const ROW_CHARS = 10
/** Length of a value that is kept: twice Excel's limit for a cell. Printing shortens it further. */
const VALUE_MAX_CHARS = 65_536

export async function readSheet(
  parts: Package,
  part: string,
  { shared, formatNumber }: CellContext,
): Promise<Sheet> {
  const rows: SheetRow[] = []
  const merged: string[] = []
  const hiddenColumns: string[] = []
  let [chars, uncomputed, lastRow, rowNumber] = [0, 0, 0, 0]
  let row: { number: number; hidden: boolean; cells: [number, string][] } | null = null
  let cell = { column: 0, type: '', style: 0 }
  let [value, formula, textTarget] = ['', '', '']
  let phonetic = false

  const displayText = (): string => {
    if (value === '') {
      if (formula === '' || cell.type !== '') return ''
      uncomputed += 1
      return `=${formula}`
    }
    if (cell.type === 's') return shared[Number(value)] ?? ''
    if (cell.type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    if (cell.type !== '' && cell.type !== 'n') return value
    const number = Number(value)
    return Number.isFinite(number) ? formatNumber(number, cell.style) : value
  }
  const open = (name: string, attributes: XmlAttributes): void => {
    textTarget = ''
    if (name === 'x:row') {
      rowNumber = Number(attributes.get('r')) || rowNumber + 1
      row = { number: rowNumber, hidden: isOn(attributes.get('hidden')), cells: [] }
      cell = { ...cell, column: 0 }
    } else if (name === 'x:c') {
      // The reference is optional. Without it, a cell follows the previous one, even if that one is empty.
      cell = {
        column: columnOf(attributes.get('r') ?? '') || cell.column + 1,
        type: attributes.get('t') ?? '',
        style: Number(attributes.get('s') ?? 0),
      }
      value = formula = ''
    } else if (name === 'x:v') textTarget = 'value'
    else if (name === 'x:t') textTarget = phonetic ? '' : 'value'
    else if (name === 'x:f') textTarget = 'formula'
    else if (name === 'x:rPh') phonetic = true
    else if (name === 'x:mergeCell' && merged.length < MERGED_MAX) merged.push(attributes.get('ref') ?? '')
    else if (name === 'x:dimension') lastRow = Number(/(\d+)$/.exec(attributes.get('ref') ?? '')?.[1] ?? 0)
    else if (name === 'x:col' && isOn(attributes.get('hidden')) && hiddenColumns.length < 100) {
      const [from, to] = [Number(attributes.get('min')), Number(attributes.get('max'))].map(letters)
      hiddenColumns.push(from === to ? (from ?? '') : `${from}:${to}`)
    }
  }
  const close = (name: string): void => {
    textTarget = ''
    if (name === 'x:rPh') phonetic = false
    if (name === 'x:c' && row) {
      const text = cellText(displayText())
      if (text === '') return
      row.cells.push([cell.column, text])
      chars += text.length + CELL_CHARS
    }
    if (name === 'x:row' && row) {
      if (row.cells.length > 0) {
        rows.push(row)
        chars += ROW_CHARS
      }
      row = null
    }
  }
  const text = (piece: string): void => {
    if (textTarget === 'value' && value.length < VALUE_MAX_CHARS) value += piece
    if (textTarget === 'formula' && formula.length < VALUE_MAX_CHARS) formula += piece
  }
  let endReason: Sheet['endReason'] = 'whole'
  try {
    const isDone = (): boolean => chars > DOCUMENT_TEXT_MAX_CHARS
    if (!(await parts.xml(part, { open, close, text, isDone }))) endReason = 'damaged'
    else if (isDone()) endReason = 'full'
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    endReason = 'late'
  }
  return { rows, merged, hiddenColumns, uncomputed, lastRow, endReason }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

/** The column number (from 1) of a reference such as `AB12`, or 0 if the reference has no letters. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference.slice(0, 3)) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column
}

/** The letters of a column: `AB` for 28. */
export function letters(column: number): string {
  if (!(column >= 1 && column <= 16_384)) return '?'
  const letterIndex = (column - 1) % 26
  const prefixColumn = (column - 1 - letterIndex) / 26
  return `${prefixColumn > 0 ? letters(prefixColumn) : ''}${String.fromCharCode(65 + letterIndex)}`
}
