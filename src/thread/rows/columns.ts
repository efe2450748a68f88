// Maps a record to the columns of a row: names become snake_case, booleans become numbers, and everything
// except strings and numbers becomes JSON.

export type StoredValue<T> = T extends boolean ? number : T extends string | number | null ? T : string

/** A record with the types that its columns have in SQLite. */
export type StoredRow<T> = { readonly [K in keyof T]: StoredValue<T[K]> }

export function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A SELECT list that returns the columns of these keys under the keys' names. */
export function columnsAs(keys: readonly string[]): string {
  return keys.map((key) => `${columnOf(key)} AS ${key}`).join(', ')
}

export function toStoredValue(value: unknown): SqlStorageValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  // The cast is safe: only strings, numbers and null remain.
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlStorageValue)
}

/** Inserts a row with the values of `record` for these keys. */
export function insertRow<K extends string>(
  sql: SqlStorage,
  table: string,
  keys: readonly K[],
  record: Readonly<Record<K, unknown>>,
): void {
  const placeholders = keys.map(() => '?').join(', ')
  const values = keys.map((key) => toStoredValue(record[key]))
  sql.exec(`INSERT INTO ${table} (${keys.map(columnOf).join(', ')}) VALUES (${placeholders})`, ...values)
}
