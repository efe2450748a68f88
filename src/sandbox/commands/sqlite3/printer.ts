// Prints the rows of statements in the current mode.

import type { ByteWriter } from '../io/writer.ts'
import { columnText, type ColumnMode } from './columns.ts'
import { FLOAT, NULL, TEXT, BLOB, type Database, type SqlValue, type Statement } from './database.ts'
import { csvField, floatText, htmlText, jsonText, oneLineLiteral, quoted, sqlLiteral } from './literals.ts'

type RowMode = 'list' | 'csv' | 'tabs' | 'quote' | 'line' | 'html' | 'json' | 'insert'
export type OutputMode = RowMode | ColumnMode

export interface PrintSettings {
  mode: OutputMode
  header: boolean
  /** Whether the user chose the headers setting; otherwise `.mode column` shows headers. */
  headerSet: boolean
  column: string
  row: string
  nullValue: string
  widths: readonly number[]
  /** The table name for the mode insert. */
  table: string
}

const COLUMN_MODES: readonly string[] = ['column', 'table', 'box', 'markdown']

export async function printStatement(
  database: Database,
  statement: Statement,
  settings: PrintSettings,
  out: ByteWriter,
): Promise<void> {
  const { names } = statement
  const text = (value: SqlValue): string => (value.type === NULL ? settings.nullValue : value.text)
  if (COLUMN_MODES.includes(settings.mode)) {
    const rows: (readonly string[])[] = []
    while (await database.step(statement)) rows.push(database.row(statement).map(text))
    // The cast is safe: it is in the list.
    const mode = settings.mode as ColumnMode
    if (rows.length > 0 && names.length > 0)
      await out.write(columnText(mode, names, rows, settings.widths, settings.header))
    return
  }
  let count = 0
  try {
    while (await database.step(statement)) {
      if (names.length === 0) continue
      await out.write(rowText(names, database.row(statement), settings, count === 0))
      count += 1
    }
  } finally {
    if (settings.mode === 'json' && count > 0) await out.write(']\n')
  }
}

/** Prints a query plan as a tree. */
export async function printPlan(database: Database, statement: Statement, out: ByteWriter): Promise<void> {
  const rows: { readonly id: string; readonly parent: string; readonly detail: string }[] = []
  while (await database.step(statement)) {
    const [id, parent, , detail] = database.row(statement)
    rows.push({ id: id?.text ?? '', parent: parent?.text ?? '', detail: detail?.text ?? '' })
  }
  const below = (parent: string, indent: string): string => {
    const children = rows.filter((row) => row.parent === parent)
    return children
      .map(({ id, detail }, index) => {
        const last = index === children.length - 1
        return `${indent}${last ? '`--' : '|--'}${detail}\n${below(id, `${indent}${last ? '   ' : '|  '}`)}`
      })
      .join('')
  }
  await out.write(`QUERY PLAN\n${below('0', '')}`)
}

function rowText(
  names: readonly string[],
  values: readonly SqlValue[],
  settings: PrintSettings,
  first: boolean,
): string {
  const { column, row, header } = settings
  const shown = (value: SqlValue): string => (value.type === NULL ? settings.nullValue : value.text)
  const head = (form: (name: string) => string): string =>
    first && header ? names.map(form).join(column) + row : ''
  switch (settings.mode) {
    case 'csv':
      return (
        head((name) => csvField(name, column)) +
        values
          .map((value) => (value.type === NULL ? settings.nullValue : csvField(value.text, column)))
          .join(column) +
        row
      )
    case 'quote':
      return head(quoted) + values.map(sqlLiteral).join(column) + row
    case 'line': {
      const width = Math.max(5, ...names.map((name) => Array.from(name).length))
      const lines = values.map(
        (value, index) => `${(names[index] ?? '').padStart(width)} = ${shown(value)}\n`,
      )
      return (first ? '' : '\n') + lines.join('')
    }
    case 'html': {
      const cells = (tag: string, texts: readonly string[]): string =>
        `<TR>${texts.map((text) => `<${tag}>${htmlText(text)}</${tag}>\n`).join('')}</TR>\n`
      return (first && header ? cells('TH', names) : '') + cells('TD', values.map(shown))
    }
    case 'json': {
      const members = values.map((value, index) => `${jsonText(names[index] ?? '')}:${jsonValue(value)}`)
      return `${first ? '[' : ',\n'}{${members.join(',')}}`
    }
    case 'insert': {
      const columns = header ? `(${names.join(',')})` : ''
      return `INSERT INTO ${settings.table}${columns} VALUES(${values.map(oneLineLiteral).join(',')});\n`
    }
    case 'list':
    case 'tabs':
    case 'box':
    case 'column':
    case 'markdown':
    case 'table':
      return head((name) => name) + values.map(shown).join(column) + row
  }
}

function jsonValue(value: SqlValue): string {
  if (value.type === NULL) return 'null'
  if (value.type === TEXT) return jsonText(value.text)
  if (value.type === BLOB) return jsonText(String.fromCharCode(...value.bytes))
  return value.type === FLOAT ? floatText(value.double) : value.text
}
