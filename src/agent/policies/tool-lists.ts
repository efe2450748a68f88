// Checks a call against the tool lists of the workspace and the key, which name tools or groups. A denial overrides a permission.

import type { CallFacts, ToolLists, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'

export function checkToolLists({
  name,
  group,
  lists: toolLists,
}: Pick<CallFacts, 'name' | 'group' | 'lists'>): Verdict {
  const refusingList = toolLists.find((list) => !permitsTool(list, name, group))
  if (refusingList) {
    const message = `Not run: ${refusingList.of} does not allow the tool ${name} in this run. Continue without it, or say what you could not do.`
    return { do: 'deny', policy: 'lists', message }
  }
  return ALLOW
}

/** Whether one list permits the tool. */
export function permitsTool(
  { allow, deny }: Pick<ToolLists, 'allow' | 'deny'>,
  name: string,
  group: string | null,
): boolean {
  const includesTool = (list: readonly string[]): boolean =>
    list.includes(name) || (group !== null && list.includes(group))
  return !includesTool(deny) && (allow === null || includesTool(allow))
}
