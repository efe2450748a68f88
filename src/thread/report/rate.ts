// Stores a person's rating of a run's answer with the run, and marks it for the report to the workspace. The newest rating replaces earlier ones; the model
// never reads it.

import { rfc3339 } from '../../lib/clock.ts'
import type { Rating } from '../../agent/events.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import { markRated } from './workspace-report.ts'

/** A null rating removes the stored one. Repeating the same rating as the same person changes nothing. */
export function rateRun(
  { ctx, runs, ports }: Parts<'ctx' | 'runs', 'now'>,
  { id, rating: before }: Run,
  rating: Pick<Rating, 'value' | 'note'> | null,
  by: string,
): void {
  const isSame =
    rating === null
      ? before === null
      : before?.value === rating.value && before.note === rating.note && before.by === by
  if (isSame) return
  runs.rate(id, rating && { ...rating, by, at: rfc3339(ports.now()) })
  markRated(ctx.storage.sql, id)
}
