// A person's rating of a run's answer, stored with the run. The newest rating counts; the model never reads it.

import { rfc3339 } from '../../lib/clock.ts'
import type { Rating } from '../../agent/events.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** `given` null removes it. The same rating by the same person changes nothing. */
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
