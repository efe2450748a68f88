// The SQL of a hook and its numbered migrations. Migrations only add, so that a Worker rolled back reads newer rows.

const V1 = `
CREATE TABLE hook (
  k INTEGER PRIMARY KEY CHECK (k = 1),
  id TEXT NOT NULL, workspace TEXT NOT NULL, title TEXT NOT NULL, scheme TEXT NOT NULL,
  secret TEXT NOT NULL, template TEXT NOT NULL, thread TEXT NOT NULL, user TEXT, created_at TEXT NOT NULL
);
CREATE TABLE deliveries (
  -- the order in which they came
  ord INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL UNIQUE, delivery_id TEXT NOT NULL UNIQUE,
  -- of the body; the body itself goes once its run has started
  digest TEXT NOT NULL, body BLOB,
  thread_id TEXT NOT NULL, run_id TEXT NOT NULL, build TEXT NOT NULL,
  state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL, problem TEXT,
  -- genuine deliveries that came under this id with another body, and the newest of them
  mismatches INTEGER NOT NULL DEFAULT 0, mismatch_at INTEGER
);
CREATE INDEX deliveries_open ON deliveries (ord) WHERE state = 'recorded';
CREATE INDEX deliveries_age ON deliveries (received_at);
`

const MIGRATIONS: readonly string[] = [V1]

export function hasSchema(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'hook'").toArray().length > 0
}

/** Brings the tables up to date, all or nothing. Call inside a transaction. */
export function migrate(sql: SqlStorage): void {
  sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)')
  const done = Number(sql.exec('SELECT COALESCE(MAX(version), 0) AS v FROM migrations').one()['v'])
  for (let version = done + 1; version <= MIGRATIONS.length; version++) {
    sql.exec(MIGRATIONS[version - 1] ?? '')
    sql.exec('INSERT INTO migrations (version) VALUES (?)', version)
  }
}
