// Chooses the plan that the page shows for the open thread. Pure.

import type { TodoItem } from '../../../agent/todos.ts'
import type { ThreadDetails } from '../../../thread/api.ts'
import type { Turn } from './turn.ts'

/** The newest plan that an answer wrote while the thread was open, else the stored one; null if the thread keeps none. */
export function shownPlan(
  turns: readonly Pick<Turn, 'run'>[],
  info: Pick<ThreadDetails, 'plan'> | null,
): readonly TodoItem[] | null {
  const written = turns.findLast(({ run }) => run.value.plan !== null)
  return written?.run.value.plan ?? info?.plan ?? null
}
