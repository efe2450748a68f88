// Tools that a workspace or a key leaves to a run: by name or by group, denied before allowed.

import type { CallFacts, ToolLists, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkToolLists({
  name,
  group,
  lists: all,
}: Pick<CallFacts, 'name' | 'group' | 'lists'>): Verdict {
  const against = all.find((list) => !permitsTool(list, name, group))
  if (against) {
    const message = `Not run: ${against.of} does not leave the tool ${name} to this run. Go on without it, or say what you could not do.`
    return { do: 'deny', policy: 'lists', message }
  }
  return ALLOW
}

/** Whether one list leaves the tool to a run. */
export function permitsTool(
  { allow, deny }: Pick<ToolLists, 'allow' | 'deny'>,
  name: string,
  group: string | null,
): boolean {
  const named = (list: readonly string[]): boolean =>
    list.includes(name) || (group !== null && list.includes(group))
  return !named(deny) && (allow === null || named(allow))
}
