// Reports the usage of a workspace: the stored sums, and the runs that are not in them yet. Imported when it is needed.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { amountsOf } from './amounts.ts'
import { USAGE_DAYS_MAX, USAGE_ROWS_MAX } from './limits.ts'
import type { UsageQuery, UsageReport, UsageRow, UsageSums } from './run-api.ts'
import {
  COUNTS,
  mergeGroups,
  SUMMED,
  NO_SUMS,
  unstoredGroups,
  type UsageGroup,
  type Sums,
} from './usage-days.ts'

export function shownSums(sums: Sums): UsageSums {
  const { runs, failed, cancelled } = sums
  return { runs, failed, cancelled, ...amountsOf(sums) }
}

/** Refuses a report that would read too many rows: by day and by something else, over many days that have rows. */
export function checkSpan(
  sql: SqlStorage,
  { from, to, daily, dimension }: UsageQuery,
  now: number,
): Result<null> {
  if (!daily || dimension === null) return ok(null)
  const today = rfc3339(now).slice(0, 10)
  const { day } = sql
    .exec<{ day: string | null }>("SELECT min(day) AS day FROM usage_days WHERE dimension = 'all'")
    .one()
  const [first, last] = [later(from ?? '', day ?? today), to === null || to > today ? today : to]
  if ((Date.parse(last) - Date.parse(first)) / DAY_MS < USAGE_DAYS_MAX) return ok(null)
  const detail = `A report by day and ${dimension} covers at most ${USAGE_DAYS_MAX} days. Name a later “from” or an earlier “to”, or group by day or by ${dimension} only.`
  return fail('invalid_request', detail, {
    errors: [{ path: 'from', message: `must be less than ${USAGE_DAYS_MAX} days before the end` }],
  })
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

type Select = (group: UsageGroup['dimension'], byDay: boolean, byValue: boolean) => readonly UsageGroup[]

type SumsRow = Sums & { readonly value: string }

/**
 * The stored sums by day and value, as many as are shown. Reads the days one after another, and in the order in which they are
 * shown, until there are enough. A day in `incomplete` is read as a whole, because other runs belong to its sums.
 */
function firstGroups(
  sql: SqlStorage,
  dimension: UsageGroup['dimension'],
  from: string,
  to: string,
  incomplete: ReadonlySet<string>,
): readonly UsageGroup[] {
  const groups: UsageGroup[] = []
  const days = sql
    .exec<{ day: string }>(
      "SELECT day FROM usage_days WHERE dimension = 'all' AND day BETWEEN ? AND ? ORDER BY day",
      from,
      to,
    )
    .toArray()
  for (const { day } of days) {
    const left = USAGE_ROWS_MAX + 1 - groups.length
    if (left <= 0) break
    const rows = sql.exec<SumsRow>(
      `SELECT value, ${SUMMED.join(', ')} FROM usage_days WHERE dimension = ? AND day = ?
       ORDER BY charged_micro DESC, value LIMIT ?`,
      dimension,
      day,
      incomplete.has(day) ? -1 : left,
    )
    for (const { value, ...sums } of rows) groups.push({ dimension, day, value, sums })
  }
  return groups
}

/** The usage in a time. Rows are sorted by day, then by what they were charged. */
export function usageReport(
  sql: SqlStorage,
  { from: first, to: last, daily, dimension }: UsageQuery,
): UsageReport {
  // The second sorts after every day.
  const [from, to] = [first ?? '', last ?? '~']
  const recent = unstoredGroups(sql).filter(({ day }) => day >= from && day <= to)
  const sumsOf: Select = (of, byDay, byValue) => {
    const unstored = recent
      .filter((group) => group.dimension === of)
      .map((group) => ({ ...group, day: byDay ? group.day : '', value: byValue ? group.value : '' }))
    if (byDay && byValue) {
      const incomplete = new Set(unstored.map(({ day }) => day))
      return mergeGroups([...firstGroups(sql, of, from, to, incomplete), ...unstored])
    }
    const stored = sql
      .exec<SumsRow & { readonly day: string }>(
        `SELECT ${byDay ? 'day' : "'' AS day"}, ${byValue ? 'value' : "'' AS value"},
           ${COUNTS.map((name) => `sum(${name}) AS ${name}`).join(', ')}, sum(cost_micro) AS cost_micro, max(estimated) AS estimated
         FROM usage_days WHERE dimension = ? AND day BETWEEN ? AND ? GROUP BY 1, 2`,
        of,
        from,
        to,
      )
      .toArray()
      .map(({ day, value, ...sums }) => ({ dimension: of, day, value, sums }))
    return mergeGroups([...stored, ...unstored])
  }
  const isGrouped = daily || dimension !== null
  const rows = (isGrouped ? sumsOf(dimension ?? 'all', daily, dimension !== null) : []).toSorted(
    (a, b) =>
      compareText(a.day, b.day) ||
      b.sums.charged_micro - a.sums.charged_micro ||
      compareText(a.value, b.value),
  )
  const by = [...(daily ? ['day'] : []), ...(dimension === null ? [] : [dimension])].join(',')
  return {
    from: first,
    to: last,
    by: isGrouped ? by : null,
    ...shownSums(sumsOf('all', false, false)[0]?.sums ?? NO_SUMS),
    data: rows.slice(0, USAGE_ROWS_MAX).map(({ day, value, sums }): UsageRow => ({
      day: daily ? day : null,
      value: dimension === null ? null : value,
      ...shownSums(sums),
    })),
    more: rows.length > USAGE_ROWS_MAX,
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
