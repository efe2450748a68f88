// Lets a hook or schedule that acts for a user act for nobody, when the user's data is deleted. Its threads are then for admins only.

/** Returns whether it acted for this user. */
export function forgetUser(sql: SqlStorage, table: 'hook' | 'schedule', user: string): boolean {
  const change = `UPDATE ${table} SET config = json_set(config, '$.user', NULL) WHERE config ->> '$.user' = ? RETURNING k`
  return sql.exec(change, user).toArray().length > 0
}
