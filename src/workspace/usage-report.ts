// Reports the usage of a workspace: the stored sums, and the runs that are not in them yet. Imported when it is needed.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { amountsOf } from './amounts.ts'
import { USAGE_DAYS_MAX, USAGE_ROWS_MAX } from './limits.ts'
import type { UsageQuery, UsageReport, UsageRow, UsageSums } from './run-api.ts'
import { COUNTS, mergeGroups, NO_SUMS, unstoredGroups, type UsageGroup, type Sums } from './usage-days.ts'

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

/** The usage in a time. Rows are sorted by day, then by what they were charged. */
export function usageReport(sql: SqlStorage, { from, to, daily, dimension }: UsageQuery): UsageReport {
  const isIn = (day: string): boolean => (from === null || day >= from) && (to === null || day <= to)
  const recent = unstoredGroups(sql).filter(({ day }) => isIn(day))
  // Stored rows of earlier days are complete, so that no more of them are needed than are shown.
  const completeUntil = recent.reduce((first, { day }) => (day < first ? day : first), '~')
  const sumsOf = (of: UsageGroup['dimension'], byDay: boolean, byValue: boolean): readonly UsageGroup[] => {
    const stored = sql
      .exec<Sums & { day: string; value: string }>(
        `SELECT ${byDay ? 'day' : "'' AS day"}, ${byValue ? 'value' : "'' AS value"},
           ${COUNTS.map((name) => `sum(${name}) AS ${name}`).join(', ')}, sum(cost_micro) AS cost_micro, max(estimated) AS estimated
         FROM usage_days WHERE dimension = ?1 AND day >= ?2 AND day <= ?3 GROUP BY 1, 2
         ORDER BY 1, charged_micro DESC, 2
         LIMIT iif(?4, (SELECT count(*) FROM usage_days WHERE dimension = ?1 AND day >= ?5) + ${USAGE_ROWS_MAX + 1}, -1)`,
        of,
        from ?? '',
        // sorts after every day
        to ?? '~',
        byDay && byValue ? 1 : 0,
        completeUntil,
      )
      .toArray()
      .map(({ day, value, ...sums }) => ({ dimension: of, day, value, sums }))
    const unstored = recent
      .filter((group) => group.dimension === of)
      .map((group) => ({ ...group, day: byDay ? group.day : '', value: byValue ? group.value : '' }))
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
    from,
    to,
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
