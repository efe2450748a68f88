// Sums the usage of runs by UTC day and by key, user, model, skill and hook. Runs are added to the sums in batches,
// because each sum is a paid write, and so is each counter of the metrics; `usage-report.ts` and `metrics.ts` show them
// together with the runs since the last batch.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { RUN_ROWS_MAX, RUNS_SUMMED_AFTER, RUNS_SWEPT_MAX } from './limits.ts'
import type { Counts as SeriesCounts } from '../lib/counted-series.ts'
import { addCounts } from './counters.ts'
import type { RunRecord, UsageDimension } from './run-api.ts'
import { countedModels, runCountsOf, type CountedRun } from './run-counts.ts'

/** The columns of a run's row that are added up. */
const RUN_COUNTS = [
  'steps',
  'tool_calls',
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'charged_tokens',
  'charged_micro',
] as const

export const COUNTS = ['runs', 'failed', 'cancelled', ...RUN_COUNTS] as const

type Counts = { readonly [C in (typeof COUNTS)[number]]: number }

/** Amounts are integer micro-dollars, so that sums are exact. The cost is null until the price of a run is known. */
export type Sums = Counts & {
  readonly cost_micro: number | null
  readonly estimated: number
}

export type Amounts = Omit<Sums, 'runs' | 'failed' | 'cancelled'>

/** A run's row, with the columns that are summed. */
export type SummedRow = Amounts &
  CountedRun & {
    readonly ended_at: number
    readonly key: string
    readonly user: string | null
    /** JSON of names with digests. */
    readonly skills: string
  }

/** One sum: `dimension` is "all" with an empty value for all runs of the day. */
export interface UsageGroup {
  readonly dimension: UsageDimension | 'all'
  readonly day: string
  readonly value: string
  readonly sums: Sums
}

function counts(of: (name: keyof Counts) => number): Counts {
  // The cast is safe: COUNTS has all names.
  return Object.fromEntries(COUNTS.map((name) => [name, of(name)])) as Counts
}

export const NO_SUMS: Sums = { ...counts(() => 0), cost_micro: null, estimated: 0 }

function addSums(a: Sums, b: Sums): Sums {
  const cost_micro =
    a.cost_micro === null && b.cost_micro === null ? null : (a.cost_micro ?? 0) + (b.cost_micro ?? 0)
  return {
    ...counts((name) => a[name] + b[name]),
    cost_micro,
    estimated: Math.max(a.estimated, b.estimated),
  }
}

/** Adds up the groups that have the same dimension, day and value. */
export function mergeGroups(groups: readonly UsageGroup[]): readonly UsageGroup[] {
  const merged = new Map<string, UsageGroup>()
  for (const { dimension, day, value, sums } of groups) {
    const id = JSON.stringify([dimension, day, value])
    const known = merged.get(id)
    merged.set(id, { dimension, day, value, sums: known ? addSums(known.sums, sums) : sums })
  }
  return [...merged.values()]
}

/** Whether a run was started by a hook or schedule. */
export function isUnattended(key: string): boolean {
  return key.startsWith('hook:') || key.startsWith('schedule:')
}

/** All sums to which these runs add. */
function groupsOf(rows: readonly SummedRow[]): readonly UsageGroup[] {
  return mergeGroups(rows.flatMap(groupsOfRun))
}

function groupsOfRun(row: SummedRow): readonly UsageGroup[] {
  const day = rfc3339(row.ended_at).slice(0, 10)
  const sums: Sums = {
    ...row,
    runs: 1,
    failed: row.status === 'failed' ? 1 : 0,
    cancelled: row.status === 'cancelled' ? 1 : 0,
  }
  // The cast is safe: only insertRun() writes this column. A run may have used two versions of a skill.
  const skills = new Set((JSON.parse(row.skills) as [string, string][]).map(([name]) => name))
  const values: readonly (readonly [UsageGroup['dimension'], string | null])[] = [
    ['all', ''],
    [isUnattended(row.key) ? 'hook' : 'key', row.key],
    ['user', row.user],
    ['model', row.model],
    ...[...skills].map((name) => ['skill', name] as const),
  ]
  return values.flatMap(([dimension, value]) => (value === null ? [] : [{ dimension, day, value, sums }]))
}

/** The columns of a sum. */
export const SUMMED = [...COUNTS, 'cost_micro', 'estimated'] as const

const ADD_GROUP = `INSERT INTO usage_days (dimension, day, value, ${SUMMED.join(', ')})
  VALUES (?, ?, ?, ${SUMMED.map(() => '?').join(', ')}) ON CONFLICT DO UPDATE SET
    ${COUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    cost_micro = CASE WHEN excluded.cost_micro IS NULL THEN cost_micro ELSE coalesce(cost_micro, 0) + excluded.cost_micro END,
    estimated = max(estimated, excluded.estimated)`

function addGroups(sql: SqlStorage, rows: readonly SummedRow[]): void {
  for (const { dimension, day, value, sums } of groupsOf(rows))
    sql.exec(ADD_GROUP, dimension, day, value, ...SUMMED.map((name) => sums[name]))
  addCounts(sql, runCountsOf(rows, countedModels(sql)))
}

const SUMMED_COLUMNS = `ended_at, status, stop_reason, accepted_at, first_text_at, recoveries, interrupted_waits, key, user, model,
  skills, ${RUN_COUNTS.join(', ')}, cost_micro, estimated`

/** Runs that ended before `summed_to` are in the sums. `kept` is how many of them have a row. */
interface State extends Record<string, SqlStorageValue> {
  readonly summed_to: number
  readonly kept: number
}

function stateOf(sql: SqlStorage): State {
  return sql.exec<State>('SELECT summed_to, kept FROM usage_state').one()
}

/** The sums of the runs that are not in the stored sums yet. */
export function unstoredGroups(sql: SqlStorage): readonly UsageGroup[] {
  return groupsOf(unsummed(sql, stateOf(sql).summed_to))
}

/** What the runs that are not in the stored sums yet add to the metrics. */
export function unstoredCounts(sql: SqlStorage): SeriesCounts {
  return runCountsOf(unsummed(sql, stateOf(sql).summed_to), countedModels(sql))
}

/** The runs that are not in the sums yet. */
function unsummed(sql: SqlStorage, summedTo: number): readonly SummedRow[] {
  return sql
    .exec<SummedRow>(`SELECT ${SUMMED_COLUMNS} FROM run_rows WHERE ended_at >= ? ORDER BY ended_at`, summedTo)
    .toArray()
}

/**
 * Called once for each new row. Adds it to the sums if it ended before runs that are in them; otherwise it waits for
 * others. `keepAfter`: rows of runs that ended before this time are deleted, some each time.
 */
export function countRow(
  sql: SqlStorage,
  { id, endedAt }: Pick<RunRecord, 'id' | 'endedAt'>,
  now: number,
  keepAfter: number,
): void {
  const state = stateOf(sql)
  if (endedAt < state.summed_to) {
    const row = sql.exec<SummedRow>(`SELECT ${SUMMED_COLUMNS} FROM run_rows WHERE run = ?`, id).one()
    addGroups(sql, [row])
    sql.exec('UPDATE usage_state SET kept = ?', state.kept + 1)
    return
  }
  // At least the new row waits.
  const { waiting, oldest } = sql
    .exec<{ waiting: number; oldest: number }>(
      'SELECT count(*) AS waiting, min(ended_at) AS oldest FROM run_rows WHERE ended_at >= ?',
      state.summed_to,
    )
    .one()
  if (waiting >= RUNS_SUMMED_AFTER || oldest < now - DAY_MS) sumAll(sql, keepAfter, state)
}

/** Adds all runs to the sums, and deletes old rows. */
export function sumAll(sql: SqlStorage, keepAfter: number, { summed_to, kept }: State = stateOf(sql)): void {
  const waiting = unsummed(sql, summed_to)
  addGroups(sql, waiting)
  const summedTo = Math.max(summed_to, (waiting.at(-1)?.ended_at ?? 0) + 1)
  const rows = kept + waiting.length
  const swept = sweep(sql, keepAfter, Math.max(0, rows - RUN_ROWS_MAX))
  sql.exec('UPDATE usage_state SET summed_to = ?, kept = ?', summedTo, rows - swept)
}

/** Deletes old rows, some each time, also if no run has ended since. */
export function sweepOld(sql: SqlStorage, keepAfter: number): void {
  const [oldest] = sql
    .exec<{ ended_at: number }>('SELECT ended_at FROM run_rows ORDER BY ended_at, run LIMIT 1')
    .toArray()
  if (oldest && oldest.ended_at < keepAfter) sumAll(sql, keepAfter)
}

/** Deletes rows that ended before `keepAfter`, and in any case the `excess` oldest. Returns how many it deleted. */
function sweep(sql: SqlStorage, keepAfter: number, excess: number): number {
  const oldest = sql
    .exec<{ ended_at: number; run: string }>(
      'SELECT ended_at, run FROM run_rows ORDER BY ended_at, run LIMIT ?',
      RUNS_SWEPT_MAX,
    )
    .toArray()
  const gone = oldest.filter(({ ended_at }, index) => ended_at < keepAfter || index < excess)
  const last = gone.at(-1)
  if (last) sql.exec('DELETE FROM run_rows WHERE (ended_at, run) <= (?, ?)', last.ended_at, last.run)
  return gone.length
}
