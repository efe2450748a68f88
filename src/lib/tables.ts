// An object's SQLite tables by name: the statements that create them, and a rule for what happens to their
// rows.

export type SqlTable<Rule> = Rule & { readonly sql: readonly string[] }

/** `sql` creates the table with its indexes, triggers and first rows. */
export function table<Rule>(rule: Rule, sql: readonly string[]): SqlTable<Rule> {
  return { ...rule, sql }
}

/** The statements of all tables, in order. */
export function statements(tables: Readonly<Record<string, SqlTable<unknown>>>): string {
  return Object.values(tables)
    .flatMap(({ sql }) => sql)
    .join('\n')
}
