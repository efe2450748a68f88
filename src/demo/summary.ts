// Describes a file with figures that the demo model can compute: columns, rows and numbers of a table; headings, lines and words
// of any other text. Pure.

import { cutText } from '../lib/text.ts'

export interface FileDescription {
  /** One line for the answer. */
  readonly line: string
  /** Markdown for the summary, to be placed below a heading. */
  readonly markdown: string
}

const NAME_CHARS = 60
const COLUMNS_SHOWN = 40
const HEADINGS_SHOWN = 10

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i

/**
 * Describes the text of a file. `type`: the file's media type. `cut`: which part of the file `text` is, such as "up to line 60 of
 * 900", or null if it is complete.
 */
export function describe(text: string, type: string, cut: string | null): FileDescription {
  const markdownRows = DELIMITED_TYPES.has(type) ? readMarkdownTable(text) : []
  const rows = DELIMITED_TYPES.has(type) && markdownRows.length === 0 ? readDelimited(text) : markdownRows
  const description =
    rows.length > 0 ? describeTable(cut === null ? rows : rows.slice(0, -1)) : describeText(text)
  if (cut === null) return description
  return {
    line: `${description.line} (read ${cut})`,
    markdown: `It was read ${cut}, so the figures cover only that part.\n\n${description.markdown}`,
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
    .filter((_, at) => at !== 1)
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
  for (const [all, quoted, plain = '', end] of text.replace(/^\uFEFF/, '').matchAll(field)) {
    if (all === '' && row.length === 0) break
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end === delimiter) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

function describeTable([names = [], ...rows]: readonly Row[]): FileDescription {
  const columns = names.map((name, at) => ({
    name: cellText(name),
    values: rows.map((row) => row[at] ?? ''),
  }))
  const numbers = columns.flatMap(({ name, values }) => {
    const nonEmpty = values.filter((value) => value !== '')
    if (nonEmpty.length === 0 || !nonEmpty.every((value) => NUMBER.test(value))) return []
    return [{ name, empty: values.length - nonEmpty.length, ...figures(nonEmpty.map(Number)) }]
  })
  const more = columns.length > COLUMNS_SHOWN ? `, and ${columns.length - COLUMNS_SHOWN} more` : ''
  const list = columns.slice(0, COLUMNS_SHOWN).map(({ name }) => name)
  const size = `${count(rows.length, 'row')}, ${count(columns.length, 'column')}`
  const irregularRows = rows.filter((row) => row.length !== names.length).length
  const lines = numbers
    .slice(0, COLUMNS_SHOWN)
    .map(
      (column) =>
        `| ${column.name} | ${column.count} | ${column.empty} | ${column.min} | ${column.max} | ${column.mean} |`,
    )
  return {
    line: `${size}${numbers
      .map(({ name, min, max }) => `; ${name} from ${min} to ${max}`)
      .slice(0, 3)
      .join('')}`,
    markdown: [
      `${size}: ${list.join(', ')}${more}. The first line is assumed to contain the names.`,
      ...(irregularRows > 0
        ? [`${count(irregularRows, 'row')} with a different number of fields than the first line.`]
        : []),
      numbers.length === 0
        ? 'No column contains only numbers.'
        : ['| column | count | empty | min | max | mean |', '|---|---|---|---|---|---|', ...lines].join('\n'),
    ].join('\n\n'),
  }
}

function figures(values: readonly number[]): Record<'count' | 'min' | 'max' | 'mean', number> {
  let [min, max, sum] = [Infinity, -Infinity, 0]
  for (const value of values) [min, max, sum] = [Math.min(min, value), Math.max(max, value), sum + value]
  return { count: values.length, min, max, mean: Number((sum / values.length).toPrecision(6)) }
}

function describeText(text: string): FileDescription {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const headings = lines.flatMap((line) => /^#{1,6}\s+(.+)/.exec(line)?.[1] ?? [])
  const size = `${count(lines.length, 'line')}, ${count(text.match(/\S+/g)?.length ?? 0, 'word')}`
  const headingLines = headings.slice(0, HEADINGS_SHOWN).map((heading) => `- ${cellText(heading)}`)
  const more = headings.length > HEADINGS_SHOWN ? [`- and ${headings.length - HEADINGS_SHOWN} more`] : []
  return {
    line: `${size}, ${count(headings.length, 'heading')}`,
    markdown: [`${size}, ${count(headings.length, 'heading')}.`, [...headingLines, ...more].join('\n')]
      .filter((part) => part !== '')
      .join('\n\n'),
  }
}

/** Makes a name from the file safe to show in a line or a table cell. */
function cellText(name: string): string {
  return cutText(name.replace(/\s+/g, ' ').trim(), NAME_CHARS).replaceAll('|', '\\|') || '(no name)'
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
