// Reads and writes the rows that record how often and how recently skills are used. Synchronous; reads no clock.

import {
  SKILL_USE_DAY_ROWS_MAX,
  SKILL_USE_WEIGHT_MIN,
  SKILL_USE_HALF_LIFE_DAYS,
  SKILL_USE_RANKED_MAX,
  SKILL_USE_ROWS_MAX,
} from './limits.ts'
import type { UseRanking } from '../skill.ts'
import type { SkillUsage } from './api.ts'

const DAY_MS = 86_400_000

/** Days since 1970, in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}

/** Half-lives since 1970, rounded down to whole days, so that two skills used equally today are ordered by name. */
function halfLives(now: number): number {
  return dayOf(now) / SKILL_USE_HALF_LIFE_DAYS
}

/**
 * Returns the names that were not yet counted for this owner on this day and marks them as counted. The first call on a new
 * day deletes the rows of the previous one. Once there are SKILL_USE_DAY_ROWS_MAX, returns no more names that day.
 */
export function markFirstUses(
  sql: SqlStorage,
  day: number,
  ownerHash: string,
  names: Iterable<string>,
): Set<string> {
  const [newest] = sql
    .exec<{ seq: number; day: number }>('SELECT seq, day FROM skill_use_day ORDER BY seq DESC LIMIT 1')
    .toArray()
  if (newest && newest.day !== day) sql.exec('DELETE FROM skill_use_day')
  let remaining = SKILL_USE_DAY_ROWS_MAX - (newest?.day === day ? newest.seq : 0)
  const newlyCounted = new Set<string>()
  for (const name of names) {
    if (remaining <= 0) break
    const marked = sql
      .exec(
        'INSERT OR IGNORE INTO skill_use_day (day, who, name) VALUES (?, ?, ?) RETURNING seq',
        day,
        ownerHash,
        name,
      )
      .toArray()
    if (marked.length === 0) continue
    newlyCounted.add(name)
    remaining -= 1
  }
  return newlyCounted
}

/** Adds one use of each skill at `now` (epoch ms). */
export function countUses(sql: SqlStorage, names: Iterable<string>, now: number): void {
  const today = halfLives(now)
  for (const name of names) {
    const [row] = sql.exec<{ heat: number }>('SELECT heat FROM skill_use WHERE name = ?', name).toArray()
    const uses = row ? 2 ** (row.heat - today) : 0
    sql.exec(
      'INSERT INTO skill_use (name, heat) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET heat = excluded.heat',
      name,
      today + Math.log2(uses + 1),
    )
  }
}

/** Deletes skills below SKILL_USE_WEIGHT_MIN, and the least used ones beyond SKILL_USE_ROWS_MAX. */
export function deleteFadedUses(sql: SqlStorage, now: number): void {
  sql.exec('DELETE FROM skill_use WHERE heat < ?', halfLives(now) + Math.log2(SKILL_USE_WEIGHT_MIN))
  sql.exec(
    `DELETE FROM skill_use WHERE name IN
       (SELECT name FROM skill_use ORDER BY heat DESC, name LIMIT -1 OFFSET ?)`,
    SKILL_USE_ROWS_MAX,
  )
}

/** The most used skills, in order, with their uses weighted at `now` and rounded to one decimal. */
export function weighUses(sql: SqlStorage, now: number, limit: number): readonly SkillUsage[] {
  const today = halfLives(now)
  return sql
    .exec<{ name: string; heat: number }>(
      'SELECT name, heat FROM skill_use ORDER BY heat DESC, name LIMIT ?',
      limit,
    )
    .toArray()
    .map(({ name, heat }) => ({ name, uses: Math.round(2 ** (heat - today) * 10) / 10 }))
    .filter(({ uses }) => uses > 0)
}

/** The names of used skills, most used first. */
export function mostUsed(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>(
      'SELECT name FROM skill_use ORDER BY heat DESC, name LIMIT ?',
      SKILL_USE_RANKED_MAX,
    )
    .toArray()
    .map(({ name }) => name)
}

/** The names among these that were ever published here, live or not, or that were used before. */
export function filterKnown(sql: SqlStorage, names: ReadonlySet<string>): Set<string> {
  const rows = sql.exec<{ name: string }>(
    `SELECT value AS name FROM json_each(?)
      WHERE EXISTS (SELECT 1 FROM skill_use u WHERE u.name = value)
         OR EXISTS (SELECT 1 FROM versions v WHERE v.name = value)`,
    JSON.stringify([...names]),
  )
  return new Set(Array.from(rows, ({ name }) => name))
}

export interface StoredRanking extends UseRanking {
  /** Epoch ms. */
  readonly createdAt: number
}

export function readRanking(sql: SqlStorage): StoredRanking | null {
  const [row] = sql
    .exec<{ made_at: number; id: string; names: string }>('SELECT made_at, id, names FROM use_ranking')
    .toArray()
  if (!row) return null
  const names = JSON.parse(row.names) as readonly string[] // The cast is safe: only saveRanking writes the column.
  return { createdAt: row.made_at, id: row.id, names }
}

export function saveRanking(sql: SqlStorage, { createdAt, id, names }: StoredRanking): void {
  sql.exec(
    'INSERT OR REPLACE INTO use_ranking (k, made_at, id, names) VALUES (1, ?, ?, ?)',
    createdAt,
    id,
    JSON.stringify(names),
  )
}
