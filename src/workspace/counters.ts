// The counters of the metrics, which only grow: one row for each series.

import type { Counts } from '../lib/counted-series.ts'

export function addCounts(sql: SqlStorage, counts: Counts): void {
  for (const [series, value] of counts)
    sql.exec(
      'INSERT INTO metrics VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value',
      series,
      value,
    )
}
