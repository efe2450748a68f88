// Numbered migrations of an object's SQLite. They only add, so that a rolled-back Worker can read newer rows.

/** False for an object that never wrote anything. Checking writes nothing. (A local server keeps an empty file of 4 KB.) */
export function hasSchema(sql: SqlStorage): boolean {
  const tables = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
  return tables.toArray().length > 0
}

/** Runs pending migrations in order. Call it inside `transactionSync`: all or none. */
export function migrate(sql: SqlStorage, migrations: readonly string[]): void {
  sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const { done } = sql
    .exec<{ done: number }>('SELECT coalesce(max(version), 0) AS done FROM migrations')
    .one()
  for (const [position, statements] of migrations.entries()) {
    if (position < done) continue
    sql.exec(statements)
    sql.exec('INSERT INTO migrations (version) VALUES (?)', position + 1)
  }
}
