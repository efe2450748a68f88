// Counts error responses by workspace and code, in the memory of this isolate. The counts go to the Workspace object with a
// later response, so that no request waits for it. An isolate that ends loses what it has not reported.

import { objects, type Env } from '../../env/env.ts'
import { CountedSeries } from '../../lib/counted-series.ts'
import type { Code } from '../../lib/result.ts'
import { DEFAULT_WORKSPACE } from '../auth/auth.ts'
import { ERRORS_REPORT_INTERVAL_MS } from './limits.ts'

const counted = new Map<string, CountedSeries>()
let reportedAt = 0

/** An error before authentication counts for the default workspace. */
export function countError(workspace: string | undefined, code: Code): void {
  seriesIn(workspace ?? DEFAULT_WORKSPACE).add(1, 'errors', code)
}

function seriesIn(workspace: string): CountedSeries {
  const series = counted.get(workspace) ?? new CountedSeries()
  counted.set(workspace, series)
  return series
}

/** Reports what was counted; null if nothing was, or if the last report is recent and this one is not `forced`. */
export function reportErrors(env: Env, now: number, forced = false): Promise<void> | null {
  // The clock may have been set back.
  const isRecent = Math.abs(now - reportedAt) < ERRORS_REPORT_INTERVAL_MS
  if (counted.size === 0 || (isRecent && !forced)) return null
  reportedAt = now
  return report(env)
}

async function report(env: Env): Promise<void> {
  const batches = [...counted]
  counted.clear()
  for (const [workspace, series] of batches) {
    const counts = series.take()
    try {
      await objects(env).workspace(workspace).count({ counts })
    } catch {
      // They go with the next report.
      seriesIn(workspace).addAll(counts)
    }
  }
}
