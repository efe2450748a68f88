// What recorded runs spent, for each cap that was in use. A sum begins with the usage of the runs that are recorded already, and
// then adds what each run spent of its leases, on the days when it reserved that.

import { rfc3339 } from '../lib/clock.ts'
import { microUsd } from '../lib/money.ts'
import type { DaySpend } from './cap-api.ts'
import type { Counted } from './cap-grant.ts'
import { rowsIn, scopesOf, type ScopedCap } from './cap-limits.ts'
import type { RunRecord } from './run-api.ts'
import { isUnattended } from './usage-days.ts'

/** The name of a window in the rows: a UTC day, or a month such as 2026-11. */
export function windowName(window: ScopedCap['window'], day: string): string {
  return window === 'day' ? day : day.slice(0, 7)
}

export const NO_SPEND: Counted = { micro: 0, tokens: 0, runs: 0 }

export function add(a: Counted, b: Counted): Counted {
  return { micro: a.micro + b.micro, tokens: a.tokens + b.tokens, runs: a.runs + b.runs }
}

const CHARGED = 'coalesce(sum(charged_micro), 0) AS micro, coalesce(sum(charged_tokens), 0) AS tokens'

/** The usage of runs that ended in the window and are recorded. */
export function recordedUsage(sql: SqlStorage, scope: string, window: string): Counted {
  const [kind = '', ...id] = scope.split(':')
  const isHook = isUnattended(scope)
  // Each day is looked up by itself, because the sums of others may be thousands.
  const summed = sql
    .exec<Counted & Record<string, number>>(
      `SELECT ${CHARGED}, coalesce(sum(runs), 0) AS runs FROM usage_days
       WHERE dimension = ?1 AND value = ?4
         AND day IN (SELECT day FROM usage_days WHERE dimension = 'all' AND day BETWEEN ?2 AND ?3)`,
      kind === 'workspace' ? 'all' : isHook ? 'hook' : kind,
      window,
      `${window}~`,
      isHook ? scope : id.join(':'),
    )
    .one()
  const [condition, value] = rowsIn(scope)
  const waiting = sql
    .exec<Counted & Record<string, number>>(
      `SELECT ${CHARGED}, count(*) AS runs FROM run_rows
       WHERE ended_at >= (SELECT summed_to FROM usage_state)
         AND strftime('%Y-%m-%d', ended_at / 1000, 'unixepoch') BETWEEN ?1 AND ?2 AND ${condition}`,
      window,
      `${window}~`,
      value,
    )
    .one()
  return add(summed, waiting)
}

interface SumRow extends Counted, Record<string, SqlStorageValue> {
  readonly micro: number
  readonly tokens: number
  readonly runs: number
  readonly warning: string | null
}

export function findSum(sql: SqlStorage, window: string, scope: string): SumRow | undefined {
  const query = 'SELECT micro, tokens, runs, warning FROM cap_sums WHERE window = ? AND scope = ?'
  return sql.exec<SumRow>(query, window, scope).toArray()[0]
}

export function insertSum(
  sql: SqlStorage,
  window: string,
  scope: string,
  { micro, tokens, runs }: Counted,
  warning: string | null,
): void {
  sql.exec(
    `INSERT INTO cap_sums (window, scope, micro, tokens, runs, warning) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET warning = excluded.warning`,
    window,
    scope,
    micro,
    tokens,
    runs,
    warning,
  )
}

/** Called once for each recorded run: adds what it spent to the sums in use, and removes its leases. */
export function settleLeases(sql: SqlStorage, run: RunRecord): void {
  const leases = sql
    .exec<{ day: string; runs: number }>('DELETE FROM leases WHERE run = ? RETURNING day, runs', run.id)
    .toArray()
  if (sql.exec('SELECT 1 FROM cap_sums LIMIT 1').toArray().length === 0) return
  const spent = run.spent ?? []
  // What it spent without a lease, because it began before the first cap, counts when it ends.
  const rest = spent.reduce<Counted>(
    (left, { micro, tokens }) => ({ ...left, micro: left.micro - micro, tokens: left.tokens - tokens }),
    {
      micro: microUsd(run.charged.usd),
      tokens: run.charged.tokens,
      runs: leases.length + spent.length === 0 ? 1 : 0,
    },
  )
  if (spent.length > 0) startSums(sql, run, spent)
  const entries = [
    { day: rfc3339(run.endedAt).slice(0, 10), ...rest },
    ...spent.map((part) => ({ ...part, runs: 0 })),
    ...leases.map(({ day, runs }) => ({ ...NO_SPEND, day, runs })),
  ].filter(({ micro, tokens, runs }) => micro > 0 || tokens > 0 || runs > 0)
  for (const { day, micro, tokens, runs } of entries)
    for (const window of [windowName('day', day), windowName('month', day)])
      for (const scope of scopesOf(run.key, run.user))
        sql.exec(
          'UPDATE cap_sums SET micro = micro + ?, tokens = tokens + ?, runs = runs + ? WHERE window = ? AND scope = ?',
          Math.max(0, micro),
          Math.max(0, tokens),
          runs,
          window,
          scope,
        )
}

/**
 * Starts the sums of the windows in which the run ended, if it ended in later ones than it began to spend in. Otherwise they would
 * begin with the whole run, of which a part counts in the earlier ones.
 */
function startSums(sql: SqlStorage, run: RunRecord, spent: readonly DaySpend[]): void {
  const endDay = rfc3339(run.endedAt).slice(0, 10)
  for (const kind of ['day', 'month'] as const)
    for (const scope of scopesOf(run.key, run.user)) {
      const window = windowName(kind, endDay)
      if (findSum(sql, window, scope) || !spent.some(({ day }) => findSum(sql, windowName(kind, day), scope)))
        continue
      const { micro, tokens, runs } = recordedUsage(sql, scope, window)
      const own = { micro: microUsd(run.charged.usd), tokens: run.charged.tokens }
      insertSum(
        sql,
        window,
        scope,
        { micro: micro - own.micro, tokens: tokens - own.tokens, runs: runs - 1 },
        null,
      )
    }
}
