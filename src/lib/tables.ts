// An object's SQLite tables by name: the statements that create them, and rules for what happens to their
// rows.

interface BackupRule {
  /** Whether a backup contains the rows. False if they are momentary, or made again from other rows. */
  readonly backup: boolean
}

export type SqlTable<Rule> = Rule & BackupRule & { readonly sql: readonly string[] }

export type SqlTables = Readonly<Record<string, SqlTable<unknown>>>

/** `sql` creates the table with its indexes, triggers and first rows. */
export function table<const Rule extends BackupRule>(rule: Rule, sql: readonly string[]): SqlTable<Rule> {
  return { ...rule, sql }
}

/** The statements of all tables, in order. */
export function statements(tables: SqlTables): string {
  return Object.values(tables)
    .flatMap(({ sql }) => sql)
    .join('\n')
}
