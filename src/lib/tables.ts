// Tables of an object's SQLite, by name: the statements that make each, and a rule that says what becomes of its rows.

export type SqlTable<Rule> = Rule & { readonly sql: readonly string[] }

/** `sql`: makes the table, with its indexes, triggers and first rows. */
export function table<Rule>(rule: Rule, sql: readonly string[]): SqlTable<Rule> {
  return { ...rule, sql }
}

/** What makes all of them, in their order. */
export function statements(tables: Readonly<Record<string, SqlTable<unknown>>>): string {
  return Object.values(tables)
    .flatMap(({ sql }) => sql)
    .join('\n')
}
