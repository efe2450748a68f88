// Describes a file with figures that the demo model can compute: columns, rows and numbers of a table; headings, lines and words
// of any other text. Pure.

import { cutText } from '../lib/text.ts'

export interface FileDescription {
  /** One line for the answer. */
  readonly line: string
  /** Markdown for the summary, to be placed below a heading. */
  readonly markdown: string
}

const NAME_MAX_CHARS = 60
const COLUMNS_SHOWN_MAX = 40
const HEADINGS_SHOWN_MAX = 10
const QUOTE_MAX_CHARS = 120

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i

/**
 * Describes the text of a file. `readPart`: which part of the file `text` is, such as "up to line 60 of 900",
 * or null if it is the entire file.
 */
export function describeFile(text: string, mediaType: string, readPart: string | null): FileDescription {
  const markdownRows = DELIMITED_TYPES.has(mediaType) ? readMarkdownTable(text) : []
  const rows =
    DELIMITED_TYPES.has(mediaType) && markdownRows.length === 0 ? readDelimited(text) : markdownRows
  const description =
    rows.length > 0 ? describeTable(readPart === null ? rows : rows.slice(0, -1)) : describeText(text)
  if (readPart === null) return description
  return {
    line: `${description.line} (read ${readPart})`,
    markdown: `It was read ${readPart}, so the figures cover only that part.\n\n${description.markdown}`,
  }
}

const DELIMITED_TYPES: ReadonlySet<string> = new Set(['text/csv', 'text/tab-separated-values'])

type Row = readonly string[]

/** Reads a Markdown table, into which a document reader may have converted the file. */
function readMarkdownTable(text: string): readonly Row[] {
  const start = /^\| .*\|\n\|(?: --- \|)+$/m.exec(text)?.index
  if (start === undefined) return []
  const lines = text.slice(start).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return (end < 0 ? lines : lines.slice(0, end))
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replace(/\\([\\|])/g, '$1').trim()),
    )
}

/**
 * Reads delimited text. The delimiter is the one that occurs most often in the first line. Quoted fields may contain delimiters,
 * quotes and line breaks.
 */
function readDelimited(text: string): readonly Row[] {
  const firstLine = text.slice(0, text.search(/\n|$/))
  const delimiter = [',', ';', '\t'].reduce((best, candidate) =>
    firstLine.split(candidate).length > firstLine.split(best).length ? candidate : best,
  )
  const rows: Row[] = []
  let row: string[] = []
  // Each match is one field, quoted or unquoted, and the delimiter or line break that ends it.
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${delimiter}\\n]*))[^${delimiter}\\n]*(${delimiter}|\\n|$)`,
    'gy',
  )
  for (const [fullMatch, quoted, unquoted = '', terminator] of text.replace(/^\uFEFF/, '').matchAll(field)) {
    if (fullMatch === '' && row.length === 0) break
    row.push((quoted?.replaceAll('""', '"') ?? unquoted).trim())
    if (terminator === delimiter) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (terminator === '') break
  }
  return rows
}

function describeTable([names = [], ...rows]: readonly Row[]): FileDescription {
  const columns = names.map((name, index) => ({
    name: cellText(name),
    values: rows.map((row) => row[index] ?? ''),
  }))
  const numericColumns = columns.flatMap(({ name, values }) => {
    const nonEmpty = values.filter((value) => value !== '')
    if (nonEmpty.length === 0 || !nonEmpty.every((value) => NUMBER.test(value))) return []
    return [{ name, empty: values.length - nonEmpty.length, ...computeFigures(nonEmpty.map(Number)) }]
  })
  const omittedColumns =
    columns.length > COLUMNS_SHOWN_MAX ? `, and ${columns.length - COLUMNS_SHOWN_MAX} more` : ''
  const columnNames = columns.slice(0, COLUMNS_SHOWN_MAX).map(({ name }) => name)
  const size = `${counted(rows.length, 'row')}, ${counted(columns.length, 'column')}`
  const irregularRows = rows.filter((row) => row.length !== names.length).length
  const lines = numericColumns
    .slice(0, COLUMNS_SHOWN_MAX)
    .map(
      (column) =>
        `| ${column.name} | ${column.count} | ${column.empty} | ${column.min} | ${column.max} | ${column.mean} |`,
    )
  return {
    line: `${size}${numericColumns
      .map(({ name, min, max }) => `; ${name} from ${min} to ${max}`)
      .slice(0, 3)
      .join('')}`,
    markdown: [
      `${size}: ${columnNames.join(', ')}${omittedColumns}. The first line is assumed to contain the names.`,
      ...(irregularRows > 0
        ? [`${counted(irregularRows, 'row')} with a different number of fields than the first line.`]
        : []),
      numericColumns.length === 0
        ? 'No column contains only numbers.'
        : ['| column | count | empty | min | max | mean |', '|---|---|---|---|---|---|', ...lines].join('\n'),
    ].join('\n\n'),
  }
}

function computeFigures(values: readonly number[]): Record<'count' | 'min' | 'max' | 'mean', number> {
  let [min, max, sum] = [Infinity, -Infinity, 0]
  for (const value of values) [min, max, sum] = [Math.min(min, value), Math.max(max, value), sum + value]
  return { count: values.length, min, max, mean: Number((sum / values.length).toPrecision(6)) }
}

function describeText(text: string): FileDescription {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const headings = lines.flatMap((line) => /^#{1,6}\s+(.+)/.exec(line)?.[1] ?? [])
  const size = `${counted(lines.length, 'line')}, ${counted(text.match(/\S+/g)?.length ?? 0, 'word')}`
  const headingLines = headings.slice(0, HEADINGS_SHOWN_MAX).map((heading) => `- ${cellText(heading)}`)
  const omittedHeadings =
    headings.length > HEADINGS_SHOWN_MAX ? [`- and ${headings.length - HEADINGS_SHOWN_MAX} more`] : []
  return {
    line: `${size}, ${counted(headings.length, 'heading')}${quoteStart(lines)}`,
    markdown: [
      `${size}, ${counted(headings.length, 'heading')}.`,
      [...headingLines, ...omittedHeadings].join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  }
}

/** Quotes the first line with words, if there is one. */
function quoteStart(lines: readonly string[]): string {
  const start = lines.map((line) => line.replace(/^[\s#>*-]+/, '').trim()).find((line) => /\p{L}/u.test(line))
  return start === undefined ? '' : `; it begins “${cutText(start, QUOTE_MAX_CHARS)}”`
}

/** Makes a name from the file safe to show in a line or a table cell. */
function cellText(name: string): string {
  return cutText(name.replace(/\s+/g, ' ').trim(), NAME_MAX_CHARS).replaceAll('|', '\\|') || '(no name)'
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
