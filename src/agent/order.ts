// The order in which the calls of one message are made.

import type { Effect } from './tool.ts'

/**
 * Groups that run one after another, in the model's order: neighbouring `read` calls in parallel, a call with side
 * effects alone. Pass all calls of a message, finished or not, so that the order is the same after a crash.
 */
export function groupCalls<T extends { readonly effect: Effect }>(
  calls: readonly T[],
): readonly (readonly T[])[] {
  const groups: T[][] = []
  for (const [at, call] of calls.entries()) {
    const beside = call.effect === 'read' && calls[at - 1]?.effect === 'read'
    if (beside) groups.at(-1)?.push(call)
    else groups.push([call])
  }
  return groups
}
