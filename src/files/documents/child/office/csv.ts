// Converts CSV and TSV files to a table. Detects the charset and the delimiter.

import Papa from 'papaparse'
import { DOCUMENT_TABLE_COLUMNS_MAX } from '../../../../limits/files.ts'
import { DOCUMENT_CSV_MAX_BYTES } from '../common/limits.ts'
import { cellText, Lines, tableRow, tableRule } from '../common/markdown.ts'
import { DocumentRefused, type TimeBudget } from '../common/pace.ts'

import type { DocumentText } from '../../document.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Number of rows from which the delimiter is detected. */
const SAMPLE_ROWS = 20
/** Number of characters parsed at a time: about 10 ms of work. */
const PIECE_CHARS = 131_072
/** If this many pieces (one megabyte in total) contain no end of row, an open quote counts as unclosed. */
const ROWLESS_PIECES_MAX = 8

export async function readCsv(bytes: Uint8Array, pace: TimeBudget): Promise<DocumentText> {
  const isComplete = bytes.length <= DOCUMENT_CSV_MAX_BYTES
  const text = decode(bytes.subarray(0, DOCUMENT_CSV_MAX_BYTES), isComplete).replace(/^\ufeff/, '')
  await pace.yieldNow()
  if (text.trim() === '') throw new DocumentRefused('The file is empty.')
  const separatorLine = /^sep=(.)\r?\n/i.exec(text)
  const body = separatorLine ? text.slice(separatorLine[0].length) : text
  const table = new Table()
  const unclosed = await parse(body, separatorLine?.[1] ?? delimiterOf(body), pace, table)
  const { shown, rows } = table
  if (rows === 0)
    throw new DocumentRefused(
      'The file has no rows: it is empty, or consists of a single line that is longer than the limit.',
    )
  const total = `${rows}${isComplete ? '' : ` (of the first ${DOCUMENT_CSV_MAX_BYTES} bytes)`}`
  const cut = [
    shown < rows || !isComplete
      ? `Rows 1 to ${shown} of ${total} follow. The first is the heading. The other rows are only in the original file. Process it with a script, or ask the user for the relevant rows.`
      : '',
    unclosed
      ? 'Its end is missing or merged into one row: a quote is never closed, or a line is megabytes long.'
      : '',
  ].filter((note) => note !== '')
  return { text: table.lines.text(), parts: 1, cut: cut.join(' ') || null }
}

/** Collects rows as lines, up to the text limit. */
class Table {
  readonly lines = new Lines()
  rows = 0
  shown = 0
  #columns = 0

  add(row: readonly string[]): void {
    if (row.length === 1 && row[0]?.trim() === '') return
    this.rows += 1
    if (this.lines.full) return
    const cells = row.slice(0, DOCUMENT_TABLE_COLUMNS_MAX).map(cellText)
    while (cells.length < this.#columns) cells.push('')
    if (this.lines.add(tableRow(cells))) this.shown += 1
    if (this.rows > 1) return
    this.#columns = cells.length
    this.lines.add(tableRule(cells.length))
  }
}

/** Fills the table, yielding regularly. Returns whether a quote is unclosed. */
async function parse(text: string, delimiter: string, pace: TimeBudget, table: Table): Promise<boolean> {
  let [unclosed, rowlessPieces] = [false, 0]
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(text, {
      delimiter,
      chunkSize: PIECE_CHARS,
      // Called for each piece. The parser then pauses until `resume` is called.
      chunk({ data, errors }: Papa.ParseResult<string[]>, parser: Papa.Parser) {
        for (const row of data) table.add(row)
        unclosed ||= errors.some(({ code }) => code === 'MissingQuotes')
        rowlessPieces = data.length > 0 ? 0 : rowlessPieces + 1
        parser.pause()
        if (rowlessPieces < ROWLESS_PIECES_MAX) {
          pace.yieldNow().then(() => parser.resume(), reject)
          return
        }
        // Stops here, because each additional piece would be parsed together with all pieces since the quote.
        unclosed = true
        parser.abort()
        resolve()
      },
      complete: () => resolve(),
    })
  })
  return unclosed
}

/**
 * The delimiter that splits the first rows most consistently into the same number of fields. If several do, it is not the comma,
 * which may be a decimal comma; among the others, it is the one with the most fields.
 */
function delimiterOf(text: string): string {
  const start = text.slice(0, 65_536)
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const { data, errors } = Papa.parse<string[]>(start, {
      delimiter,
      preview: SAMPLE_ROWS,
      skipEmptyLines: true,
    })
    const widths = data.map((row) => row.length)
    const commonWidth = widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 1
    const matchingFraction =
      widths.filter((width) => width === commonWidth).length / Math.max(1, widths.length)
    // A misplaced quote, as in `"a;b","c"` split at semicolons, means that the delimiter is probably another one.
    const preference = delimiter !== ',' && matchingFraction === 1 && errors.length === 0 ? 1 : 0
    const score = commonWidth > 1 ? matchingFraction * 100 + preference + Math.min(commonWidth, 50) / 100 : 0
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/**
 * Decodes UTF-16 (recognized by a byte order mark or zero bytes), else valid UTF-8, else Windows-1252. If the bytes are not
 * complete, part of a character at their end is dropped.
 */
function decode(bytes: Uint8Array, isComplete: boolean): string {
  const options = { stream: !isComplete }
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes, options)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes, options)
  const head = bytes.subarray(0, 256)
  const zeros = (parity: number): boolean =>
    head.length > 3 && head.every((byte, index) => index % 2 !== parity || byte === 0)
  if (zeros(1)) return new TextDecoder('utf-16le').decode(bytes, options)
  if (zeros(0)) return new TextDecoder('utf-16be').decode(bytes, options)
  if (head.includes(0))
    throw new DocumentRefused(
      'The file is not text, although its name says so. Ask the user for the actual table.',
    )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, options)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes, options)
  }
}
