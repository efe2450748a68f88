// What each build changed of built-in skills, as rows. Synchronous; decides nothing. Builds are named by the row of the
// history that says when they were met.

export interface MetBuild {
  readonly seq: number
  readonly at: string
  readonly build: string
}

export interface Compared {
  /** The build that the comparison began with. */
  readonly first: MetBuild
  readonly last: MetBuild
}

export interface BuiltInChange {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

type Row = { seq: number; at: string; build: string }

const BUILDS = `SELECT seq, at, after_digest AS build FROM history WHERE name IS NULL AND action = 'build'`

function one(sql: SqlStorage, query: string, ...bindings: readonly SqlStorageValue[]): MetBuild | null {
  return sql.exec<Row>(query, ...bindings).toArray()[0] ?? null
}

export function metBuild(sql: SqlStorage, build: string): MetBuild | null {
  return one(sql, `${BUILDS} AND after_digest = ?`, build)
}

/** The first build that was met after row `seq`. */
export function nextBuild(sql: SqlStorage, seq: number): MetBuild | null {
  return one(sql, `${BUILDS} AND seq > ? ORDER BY seq LIMIT 1`, seq)
}

/** The oldest of the newest `count` builds. */
export function recentBuild(sql: SqlStorage, count: number): MetBuild | null {
  return one(sql, `SELECT * FROM (${BUILDS} ORDER BY seq DESC LIMIT ?) ORDER BY seq LIMIT 1`, count)
}

export function compared(sql: SqlStorage): Compared | null {
  const side = (column: 'first' | 'last'): MetBuild | null =>
    one(sql, `${BUILDS} AND seq = (SELECT ${column} FROM built_in_compared WHERE k = 1)`)
  const [first, last] = [side('first'), side('last')]
  return first && last ? { first, last } : null
}

/** Forgets every comparison; what comes is compared with this build. */
export function beginWith(sql: SqlStorage, { seq }: MetBuild): void {
  sql.exec('DELETE FROM built_in')
  sql.exec('INSERT OR REPLACE INTO built_in_compared (k, first, last) VALUES (1, ?1, ?1)', seq)
}

export function insertChanges(
  sql: SqlStorage,
  { seq }: MetBuild,
  changes: readonly BuiltInChange[],
  atOnce: number,
): void {
  for (let from = 0; from < changes.length; from += atOnce) {
    const part = changes.slice(from, from + atOnce).map(({ name, before, after }) => [name, before, after])
    sql.exec(
      `INSERT INTO built_in (name, seq, before_digest, after_digest)
       SELECT value ->> 0, ?, value ->> 1, value ->> 2 FROM json_each(?)`,
      seq,
      JSON.stringify(part),
    )
  }
  sql.exec('UPDATE built_in_compared SET last = ? WHERE k = 1', seq)
}

/** When the skill last changed, up to the build of row `seq`; null: not since the first. */
export function changedAt(sql: SqlStorage, name: string, seq: number): string | null {
  const [row] = sql
    .exec<{ at: string }>(
      `SELECT h.at FROM built_in b JOIN history h ON h.seq = b.seq
        WHERE b.name = ? AND b.seq <= ? ORDER BY b.seq DESC LIMIT 1`,
      name,
      seq,
    )
    .toArray()
  return row?.at ?? null
}

/** The skill's digest in the first build that was compared; `now`: the present one. Null: it was not there. */
export function firstDigest(sql: SqlStorage, name: string, now: string | null): string | null {
  const [row] = sql
    .exec<{ before: string | null }>(
      'SELECT before_digest AS before FROM built_in WHERE name = ? ORDER BY seq LIMIT 1',
      name,
    )
    .toArray()
  return row ? row.before : now
}
