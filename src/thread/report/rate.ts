// Stores a person's rating of a run's answer with the run. The newest rating replaces earlier ones; the model
// never reads it.

import { rfc3339 } from '../../lib/clock.ts'
import type { Rating } from '../../agent/events.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** A null rating removes the stored one. Repeating the same rating as the same person changes nothing. */
export function rateRun(
  { runs, ports }: Parts<'runs', 'now'>,
  { id, rating: before }: Run,
  rating: Pick<Rating, 'value' | 'note'> | null,
  by: string,
): void {
  if (rating === null) {
    if (before !== null) runs.rate(id, null)
    return
  }
  if (before?.value === rating.value && before.note === rating.note && before.by === by) return
  runs.rate(id, { ...rating, by, at: rfc3339(ports.now()) })
}
