// The order in which the calls of one message are made.

import type { Effect } from './tool.ts'

/**
 * Groups that are made one after the other, in the model's order: neighbours that only read side by side, a call that acts
 * alone. To be cut from all calls of a message, finished or not, so that going on after a crash keeps to the same order.
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
