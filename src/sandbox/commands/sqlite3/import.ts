// `.import`: reads CSV, or lines with separators, into a table.

import { Unsupported } from '../command.ts'
import { SqlError, type Database } from './database.ts'
import type { PrintSettings } from './printer.ts'

export interface ImportFormat {
  readonly csv: boolean
  readonly column: string
  readonly row: string
  readonly skip: number
}

/** Parses the arguments of `.import`; null if the file or table is missing. */
export function importOrder(
  args: readonly string[],
  settings: Pick<PrintSettings, 'mode' | 'column' | 'row'>,
): { readonly file: string; readonly table: string; readonly format: ImportFormat } | null {
  let [csv, skip] = [settings.mode === 'csv', 0]
  let { column, row } = settings
  const names: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = (args[index] ?? '').replace(/^--/, '-')
    if (arg === '-csv') [csv, column, row] = [true, ',', '\n']
    else if (arg === '-skip') skip = Number(args[(index += 1)])
    else if (arg === '-v') continue
    else if (arg.startsWith('-')) throw new Unsupported(`.import ${arg}`, '.import --csv FILE TABLE')
    else names.push(arg)
  }
  const [file, table] = names
  if (file === undefined || table === undefined || names.length > 2) return null
  if (file.startsWith('|')) throw new Unsupported('.import "|COMMAND"', 'COMMAND > FILE before it')
  if (csv && row === '\r\n') row = '\n'
  if (column.length !== 1 || row.length !== 1)
    throw new Unsupported('.import with separators of several characters', '.separator with one character')
  return { file, table, format: { csv, column, row, skip } }
}

/** Splits a text into rows of fields. */
function fieldsOf(text: string, { csv, column, row }: ImportFormat): readonly (readonly string[])[] {
  const rows: string[][] = []
  let fields: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    let field = ''
    if (csv && text[at] === '"') {
      const end = quoteEnd(text, at + 1)
      field = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      // Text between a closing quote and the separator belongs to the field.
      while (at < text.length && text[at] !== column && text[at] !== row)
        if (text[at] === '\r' && text[at + 1] === row) at += 1
        else field += text[at++]
    } else {
      const start = at
      while (at < text.length && text[at] !== column && text[at] !== row) at += 1
      field = text.slice(start, at)
      if (csv && text[at] === row && field.endsWith('\r')) field = field.slice(0, -1)
    }
    fields.push(field)
    if (at >= text.length || text[at] === row) {
      rows.push(fields)
      fields = []
    } else if (at === text.length - 1) {
      rows.push([...fields, ''])
      fields = []
    }
    at += 1
  }
  return rows
}

/** The position of the quote that ends a field. */
function quoteEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) at += text[at] === '"' ? 2 : 1
  return Math.min(at, text.length)
}

const name = (text: string): string => `"${text.replaceAll('"', '""')}"`

/**
 * Imports into `table`, and creates it if necessary with the names in the first row. Returns messages about single
 * rows.
 */
export async function importRows(
  database: Database,
  file: string,
  text: string,
  table: string,
  format: ImportFormat,
): Promise<readonly string[]> {
  const rows = [...fieldsOf(text, format)]
  let number = format.skip
  rows.splice(0, format.skip)
  let known = await database.all(`PRAGMA table_info(${name(table)})`)
  if (known.length === 0) {
    const header = rows.shift() ?? []
    number += 1
    if (header.length === 0) throw new SqlError(`${file}: empty file`, 1, 1, -1, 'prepare')
    if (new Set(header.map((one) => one.toLowerCase())).size < header.length || header.includes(''))
      throw new Unsupported(
        '.import with empty or repeated column names',
        'CREATE TABLE before it, with --skip 1',
      )
    const columns = header.map(
      (one, index) => (index === 0 ? '' : index % 4 > 0 ? ', ' : ',\n ') + `${name(one)} TEXT`,
    )
    await database.all(`CREATE TABLE ${name(table)}(\n${columns.join('')})`)
    known = await database.all(`PRAGMA table_info(${name(table)})`)
  }
  const count = known.length
  const { statement } = await database.prepare(
    `INSERT INTO ${name(table)} VALUES(${Array.from({ length: count }, () => '?').join(',')})`,
  )
  if (!statement) return []
  const messages: string[] = []
  const begins = !database.inTransaction
  if (begins) await database.all('BEGIN')
  for (const fields of rows) {
    number += 1
    if (fields.length < count)
      messages.push(
        `${file}:${number}: expected ${count} columns but found ${fields.length} - filling the rest with NULL`,
      )
    if (fields.length > count)
      messages.push(
        `${file}:${number}: expected ${count} columns but found ${fields.length} - extras ignored`,
      )
    for (let index = 0; index < count; index += 1) database.bind(statement, index + 1, fields[index] ?? null)
    try {
      await database.step(statement)
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      messages.push(`${file}:${number}: INSERT failed: ${error.message}`)
    }
    await database.reset(statement).catch(() => {})
  }
  await database.finalize(statement)
  if (begins) await database.all('COMMIT')
  return messages
}
