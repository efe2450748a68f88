// Numbered migrations of an object's SQLite database. They only add, so that a rolled-back Worker can read
// newer rows.

/**
 * Returns false for an object that has never written anything. Does not write either, although a local server
 * creates an empty file of 4 KB.
 */
export function hasSchema(sql: SqlStorage): boolean {
  const tables = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
  return tables.toArray().length > 0
}

/**
 * Runs pending migrations in order. Must be called inside `transactionSync`, so that all or none are applied.
 */
export function migrate(sql: SqlStorage, migrations: readonly string[]): void {
  sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const { done: appliedVersion } = sql
    .exec<{ done: number }>('SELECT coalesce(max(version), 0) AS done FROM migrations')
    .one()
  for (const [index, statements] of migrations.entries()) {
    if (index < appliedVersion) continue
    sql.exec(statements)
    sql.exec('INSERT INTO migrations (version) VALUES (?)', index + 1)
  }
}
