// Stores a person's rating of a run's answer with the run. The newest rating replaces earlier ones; the model
// never reads it.

import { rfc3339 } from '../../lib/clock.ts'
import type { Rating } from '../../agent/events.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** A null rating removes the stored one. Repeating the same rating as the same person changes nothing. */
export function rateRun(
  { runs, out }: Parts<'runs', 'now'>,
  { id, rating: before }: Run,
  given: Pick<Rating, 'value' | 'note'> | null,
  by: string,
): void {
  if (given === null) {
    if (before !== null) runs.rate(id, null)
    return
  }
  if (before?.value === given.value && before.note === given.note && before.by === by) return
  runs.rate(id, { ...given, by, at: rfc3339(out.now()) })
}
