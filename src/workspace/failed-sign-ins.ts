// Counts failed sign-ins per network and minute. Counts in memory and writes each time a count has doubled, so that a flood
// writes little; a restart loses at most half of a minute's count. Imported when it is needed.

import { rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { FailedSignIns } from './audit-api.ts'
import { FAILED_SIGN_IN_NETWORKS_MAX, FAILED_SIGN_IN_ROWS_MAX } from './limits.ts'

const MINUTE_MS = 60_000
/** The name under which further networks are counted once a minute has the maximum number. */
const OTHERS = 'others'

interface Tried {
  readonly key: string
  readonly count: number
}

export class FailedSignInCounts {
  #minute = 0
  readonly #counts = new Map<string, Tried>()

  /** `network` is a /24 or /48 network. */
  add(sql: SqlStorage, network: string, key: string, now: number): void {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
    if (minute !== this.#minute) {
      this.write(sql)
      this.#counts.clear()
      this.#minute = minute
    }
    const isListed = this.#counts.has(network) || this.#counts.size < FAILED_SIGN_IN_NETWORKS_MAX
    const name = isListed ? network : OTHERS
    const count = (this.#counts.get(name)?.count ?? this.#stored(sql, name)) + 1
    this.#counts.set(name, { key, count })
    // Whether the count is a power of two.
    if ((count & (count - 1)) === 0) this.#writeOne(sql, name, { key, count })
  }

  #stored(sql: SqlStorage, network: string): number {
    const [row] = sql
      .exec<{ count: number }>(
        'SELECT count FROM failed_sign_ins WHERE minute = ? AND network = ?',
        this.#minute,
        network,
      )
      .toArray()
    return row?.count ?? 0
  }

  /** Writes all counts. */
  write(sql: SqlStorage): void {
    for (const [network, tried] of this.#counts) this.#writeOne(sql, network, tried)
  }

  #writeOne(sql: SqlStorage, network: string, { key, count }: Tried): void {
    sql.exec(
      `INSERT INTO failed_sign_ins (minute, network, key, count) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET key = excluded.key, count = excluded.count WHERE count <> excluded.count`,
      this.#minute,
      network,
      key,
      count,
    )
    if (count === 1) sweepOldest(sql)
  }
}

function sweepOldest(sql: SqlStorage): void {
  const { rows } = sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM failed_sign_ins').one()
  if (rows <= FAILED_SIGN_IN_ROWS_MAX) return
  sql.exec(
    'DELETE FROM failed_sign_ins WHERE (minute, network) IN (SELECT minute, network FROM failed_sign_ins ORDER BY minute, network LIMIT ?)',
    rows - FAILED_SIGN_IN_ROWS_MAX,
  )
}

/** Lists minutes that began after `keepAfter`, newest first. */
export function listFailedSignIns(
  sql: SqlStorage,
  keepAfter: number,
  cursor: string | null,
  limit: number,
): Result<Page<FailedSignIns>> {
  const position =
    cursor === null ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, ['number', 'string'])
  if (!position) return err(BAD_CURSOR)
  const rows = sql
    .exec<Omit<FailedSignIns, 'at'> & { readonly minute: number }>(
      `SELECT minute, network, key, count FROM failed_sign_ins WHERE (minute, network) < (?, ?) AND minute >= ?
       ORDER BY minute DESC, network DESC LIMIT ?`,
      ...position,
      keepAfter,
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ minute, network }) => [minute, network])
  return ok({ data: data.map(({ minute, ...row }) => ({ at: rfc3339(minute), ...row })), next_cursor })
}
