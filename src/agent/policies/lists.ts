// Tools that a workspace or a key leaves to a run: by name or by group, denied before allowed.

import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function lists({ name, group, lists: all }: Pick<CallFacts, 'name' | 'group' | 'lists'>): Verdict {
  const named = (list: readonly string[]): boolean =>
    list.includes(name) || (group !== null && list.includes(group))
  for (const { allow, deny, of } of all) {
    if (!named(deny) && (allow === null || named(allow))) continue
    const words = `Not run: ${of} does not leave the tool ${name} to this run. Go on without it, or say what you could not do.`
    return { do: 'deny', policy: 'lists', words }
  }
  return ALLOW
}
