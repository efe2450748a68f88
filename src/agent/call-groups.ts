// Determines the order in which the calls of one message are made.

import type { Effect } from './tool.ts'

/**
 * Groups of calls that run sequentially, in the model's order. Adjacent `read` calls share a group and run in parallel; a call with
 * side effects runs alone. Pass all calls of a message, finished or not, so that the order is the same after a crash.
 */
export function groupCalls<T extends { readonly effect: Effect }>(
  calls: readonly T[],
): readonly (readonly T[])[] {
  const groups: T[][] = []
  for (const [index, call] of calls.entries()) {
    const isParallel = call.effect === 'read' && calls[index - 1]?.effect === 'read'
    if (isParallel) groups.at(-1)?.push(call)
    else groups.push([call])
  }
  return groups
}
