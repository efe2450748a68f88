// `.schema`, `.tables`, `.indexes` and `.dump`: print the database as SQL.

import { Unsupported } from '../command.ts'
import type { ByteWriter } from '../io/writer.ts'
import type { Database } from './database.ts'
import { oneLineLiteral, quoted } from './literals.ts'

const LINE_WIDTH = 80

/** A name for SQL, quoted if necessary. */
function identifier(database: Database, word: string): string {
  return /^[A-Za-z_]\w*$/.test(word) && !database.isKeyword(word) ? word : `"${word.replaceAll('"', '""')}"`
}

/** The SQL of a schema entry. A quoted table gets `IF NOT EXISTS`. */
function schemaText(sql: string): string {
  return /^CREATE TABLE ['"]/.test(sql)
    ? `CREATE TABLE IF NOT EXISTS${sql.slice('CREATE TABLE'.length)}`
    : sql
}

const like = (column: string, pattern: string | undefined): string =>
  pattern === undefined ? 'true' : `${column} LIKE ${quoted(pattern)} ESCAPE '\\'`

async function refuseAttached(database: Database, command: string): Promise<void> {
  const names = (await database.all('PRAGMA database_list')).map(([, name]) => name?.text)
  if (names.some((name) => name !== 'main' && name !== 'temp'))
    throw new Unsupported(`${command} with attached databases`, 'SELECT name, sql FROM NAME.sqlite_schema')
}

export async function printSchema(
  database: Database,
  out: ByteWriter,
  pattern: string | undefined,
): Promise<void> {
  await refuseAttached(database, '.schema')
  const rows = await database.all(
    `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${like('tbl_name', pattern)} ORDER BY rowid`,
  )
  for (const [type, name, sql] of rows) {
    const text = schemaText(sql?.text ?? '')
    const described = type?.text === 'view' || /^CREATE VIRTUAL/i.test(text)
    let comment = ''
    if (described) {
      const columns = await database.all(`SELECT name FROM pragma_table_info(${quoted(name?.text ?? '')})`)
      const names = columns.map(([column]) => identifier(database, column?.text ?? ''))
      comment = `\n/* ${identifier(database, name?.text ?? '')}(${names.join(',')}) */`
    }
    await out.write(`${text}${comment};\n`)
  }
}

/** Prints names in as many columns as fit. */
export async function printNames(
  database: Database,
  out: ByteWriter,
  kinds: readonly string[],
  pattern: string | undefined,
): Promise<void> {
  await refuseAttached(database, kinds.includes('index') ? '.indexes' : '.tables')
  const types = kinds.map(quoted).join(',')
  const column = kinds.includes('index') ? 'tbl_name' : 'name'
  const visible = kinds.includes('index') ? 'true' : "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
  const rows = await database.all(
    `SELECT name FROM sqlite_schema WHERE type IN (${types}) AND ${visible} AND ${like(column, pattern)}
     UNION ALL SELECT name FROM sqlite_temp_schema WHERE type IN (${types}) AND ${visible} AND ${like(column, pattern)}
     ORDER BY 1`,
  )
  const names = rows.map(([name]) => name?.text ?? '')
  if (names.length === 0) return
  const width = Math.max(...names.map((name) => Array.from(name).length))
  const columns = Math.max(1, Math.floor(LINE_WIDTH / (width + 2)))
  const height = Math.ceil(names.length / columns)
  for (let row = 0; row < height; row += 1) {
    const parts: string[] = []
    for (let index = row; index < names.length; index += height)
      parts.push((names[index] ?? '').padEnd(width))
    await out.write(`${parts.join('  ')}\n`)
  }
}

export async function printDump(
  database: Database,
  out: ByteWriter,
  patterns: readonly string[],
): Promise<void> {
  const wanted = patterns.length === 0 ? 'true' : patterns.map((one) => like('name', one)).join(' OR ')
  const parts = patterns.length === 0 ? 'true' : patterns.map((one) => like('tbl_name', one)).join(' OR ')
  await out.write('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n')
  const tables = await database.all(
    `SELECT name, sql FROM sqlite_schema WHERE (${wanted}) AND type='table' AND sql NOT NULL ORDER BY tbl_name='sqlite_sequence', rowid`,
  )
  for (const [nameValue, sqlValue] of tables) {
    const [name, sql] = [nameValue?.text ?? '', sqlValue?.text ?? '']
    if (/^CREATE VIRTUAL/i.test(sql))
      throw new Unsupported('.dump of virtual tables', '.dump TABLE for each other table')
    if (name === 'sqlite_sequence') await out.write('DELETE FROM sqlite_sequence;\n')
    else if (name.startsWith('sqlite_stat')) await out.write('ANALYZE sqlite_schema;\n')
    else if (name.startsWith('sqlite_')) continue
    else await out.write(`${schemaText(sql)};\n`)
    await dumpRows(database, out, name)
  }
  const others = await database.all(
    `SELECT sql FROM sqlite_schema WHERE (${parts}) AND sql NOT NULL AND type IN ('index','trigger','view')`,
  )
  for (const [sql] of others) await out.write(`${sql?.text ?? ''};\n`)
  await out.write('COMMIT;\n')
}

async function dumpRows(database: Database, out: ByteWriter, table: string): Promise<void> {
  const name = identifier(database, table)
  const columns = await database.all(`PRAGMA table_info(${quoted(table)})`)
  const list = columns.map(([, column]) => identifier(database, column?.text ?? '')).join(',')
  const { statement } = await database.prepare(`SELECT ${list} FROM ${name}`)
  if (!statement) return
  while (await database.step(statement))
    await out.write(`INSERT INTO ${name} VALUES(${database.row(statement).map(oneLineLiteral).join(',')});\n`)
  await database.finalize(statement)
}
