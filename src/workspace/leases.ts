// The rows of leases. A lease is what one run may spend on one UTC day. It counts in full until the run is recorded; then what
// the run reported counts instead.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { fromMicroUsd } from '../lib/money.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { CapState, DaySpend, Lease, LeaseWish, ThreadCap } from './cap-api.ts'
import { grantOf, refusalOf, warningOf, windowEnd, type CapUse, type Counted } from './cap-grant.ts'
import { rowsIn, type ScopedCap } from './cap-limits.ts'
import { add, findSum, insertSum, windowName, NO_SPEND, recordedUsage } from './cap-sums.ts'
import { LEASED_OUT_RETRY_S, LEASE_EXPIRY_MS } from './limits.ts'

interface StoredUse extends CapUse {
  /** The stored sum, or what it begins with. */
  readonly sum: Counted
  readonly isStored: boolean
  readonly warning: string | null
}

/** What counts of a cap, without the lease of `run` on `day`. */
function useOf(sql: SqlStorage, cap: ScopedCap, day: string, run: string, now: number): StoredUse {
  const { scope } = cap
  const window = windowName(cap.window, day)
  const stored = findSum(sql, window, scope)
  const [condition, value] = rowsIn(scope)
  // A lease that has expired is spent, as far as anybody knows.
  const leases = sql
    .exec<Counted & Record<string, number>>(
      `SELECT coalesce(sum(CASE WHEN until > ?4 THEN micro END), 0) AS micro,
         coalesce(sum(CASE WHEN until > ?4 THEN tokens END), 0) AS tokens,
         coalesce(sum(CASE WHEN until <= ?4 THEN micro END), 0) AS lostMicro,
         coalesce(sum(CASE WHEN until <= ?4 THEN tokens END), 0) AS lostTokens, coalesce(sum(runs), 0) AS runs
       FROM leases WHERE day BETWEEN ?1 AND ?2 AND NOT (run = ?5 AND day = ?6) AND ${condition}`,
      window,
      `${window}~`,
      value,
      now,
      run,
      day,
    )
    .one()
  const sum = stored ?? recordedUsage(sql, scope, window)
  const lost = { micro: leases['lostMicro'] ?? 0, tokens: leases['lostTokens'] ?? 0, runs: leases.runs }
  return {
    ...cap,
    sum,
    spent: add(sum, lost),
    leased: { ...NO_SPEND, micro: leases.micro, tokens: leases.tokens },
    isStored: stored !== undefined,
    warning: stored?.warning ?? null,
  }
}

type LeaseRow = {
  readonly day: string
  readonly number: number
  readonly runs: number
  readonly micro: number | null
  readonly tokens: number | null
}

function ownLeases(sql: SqlStorage, run: string): readonly LeaseRow[] {
  return sql
    .exec<LeaseRow>('SELECT day, number, runs, micro, tokens FROM leases WHERE run = ?', run)
    .toArray()
}

/** The run that asks. */
export interface Lessee {
  readonly thread: string
  readonly run: string
  readonly key: string
}

/**
 * Grants a lease, or more of it. Null if nothing is limited. `begins`: the run is refused if it cannot make its first call.
 * `queued`: it gets an empty lease, which is not stored. Must be called inside `transactionSync`.
 */
export function grantLease(
  sql: SqlStorage,
  { thread, run, key }: Lessee,
  wish: LeaseWish,
  caps: readonly ScopedCap[],
  threadCap: ThreadCap,
  { begins, queued }: { readonly begins: boolean; readonly queued: boolean },
  now: number,
): Result<Lease | null> {
  if (caps.length === 0 && Object.keys(threadCap).length === 0) return ok(null)
  const { user, day, number, spent } = wish
  const lease = { day, number, reached: null, thread: threadCap, warnings: [] }
  if (caps.length === 0) return ok({ ...lease, micro: null, tokens: null })
  if (sql.exec('SELECT 1 FROM run_rows WHERE run = ?', run).toArray().length > 0)
    return fail('gone', `The run ${run} has ended.`)
  shrinkLeases(sql, run, spent)
  const leases = ownLeases(sql, run)
  const before = leases.find((row) => row.day === day) ?? null
  // This is a repetition that was overtaken.
  if (before && before.number > number)
    return ok({ ...lease, number: before.number, micro: before.micro, tokens: before.tokens })
  const uses = caps.map((cap) => useOf(sql, cap, day, run, now))
  const counts = leases.some(({ runs }) => runs > 0) ? 0 : 1
  const refusal = begins ? refusalOf(uses, wish, counts, now) : null
  if (refusal && !(queued && refusal.error.retryAfterS === LEASED_OUT_RETRY_S)) return refusal
  if (queued) return ok({ ...lease, number: 0, micro: 0, tokens: 0 })
  const { runs, ...grant } = grantOf(uses, wish, counts, before)
  sql.exec(
    `INSERT INTO leases (run, day, thread, key, user, number, runs, micro, tokens, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET number = excluded.number, runs = max(runs, excluded.runs), micro = excluded.micro, tokens = excluded.tokens, until = excluded.until`,
    run,
    day,
    thread,
    key,
    user,
    number,
    runs,
    grant.micro,
    grant.tokens,
    now + LEASE_EXPIRY_MS,
  )
  const warnings = uses.flatMap((use) => storeUse(sql, use, day, warningOf(use, grant, runs)))
  return ok({ ...lease, ...grant, warnings })
}

/** Stores that a cap is in use, and a new warning. Returns the warning unless there was one before. */
function storeUse(sql: SqlStorage, use: StoredUse, day: string, warning: string | null): readonly string[] {
  const isNew = warning !== null && use.warning === null
  if (use.isStored && !isNew) return []
  insertSum(sql, windowName(use.window, day), use.scope, use.sum, warning)
  if (!use.isStored) sweep(sql, day)
  return isNew ? [warning] : []
}

/** Deletes sums and leases of windows that are over. Reports of the day before may still arrive. */
function sweep(sql: SqlStorage, day: string): void {
  const dayBefore = rfc3339(Date.parse(day) - DAY_MS).slice(0, 10)
  sql.exec('DELETE FROM cap_sums WHERE window < ? AND window <> ?', dayBefore, windowName('month', day))
  sql.exec('DELETE FROM leases WHERE day < ? AND day < ?', dayBefore, windowName('month', day))
}

/** Takes back what a run does not need of its leases, because it waits, or has a lease of a later day. */
function shrinkLeases(sql: SqlStorage, run: string, spent: readonly DaySpend[]): void {
  for (const { day, number, micro, tokens } of spent)
    sql.exec(
      'UPDATE leases SET micro = min(micro, ?), tokens = min(tokens, ?) WHERE run = ? AND day = ? AND number <= ?',
      micro,
      tokens,
      run,
      day,
      number,
    )
}

/** Takes back the leases of a run that waits, or of one that was not created, which spent nothing. */
export function returnLeases(sql: SqlStorage, run: string, spent: readonly DaySpend[] | null): void {
  if (spent) shrinkLeases(sql, run, spent)
  else sql.exec('DELETE FROM leases WHERE run = ?', run)
}

/** The state of caps on a UTC day. Writes nothing. */
export function capStates(sql: SqlStorage, caps: readonly ScopedCap[], now: number): readonly CapState[] {
  const day = rfc3339(now).slice(0, 10)
  return caps.map((cap) => {
    const { spent, leased } = useOf(sql, cap, day, '', now)
    const { scope, window } = cap
    return {
      scope,
      window,
      resets_at: rfc3339(windowEnd(window, day)),
      cap: cap.cap,
      spent: amountsOf(spent),
      leased: amountsOf(leased),
    }
  })
}

function amountsOf({ micro, tokens, runs }: Counted): CapState['spent'] {
  return { usd: fromMicroUsd(micro), tokens, runs }
}
