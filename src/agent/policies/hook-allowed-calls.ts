// Calls that a hook or schedule allows without approval, because no person follows its runs. In such a call the model chooses only
// the fields that are listed as free.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { AllowedCall } from '../../lib/caller.ts'
import { escapeToken, valueAt } from '../../lib/json-pointer.ts'
import type { CallFacts } from '../policy.ts'

type Facts = Pick<CallFacts, 'name' | 'input' | 'allowedCalls'>

/** Whether a rule names this tool, all fixed fields have their fixed values, and all other fields are free. */
export function isAllowedCall({ name, input, allowedCalls }: Facts): boolean {
  return allowedCalls.some(
    (rule) =>
      rule.tool === name && hasFixedFields(rule, input) && findUnlistedFields(rule, input).length === 0,
  )
}

/** Why the hook's rules do not cover a call, for people who read the run. Empty if no rule names the tool. */
export function whyNotAllowed({ name, input, allowedCalls }: Facts): string {
  const rules = allowedCalls.filter(({ tool }) => tool === name)
  const closest = rules.find((rule) => hasFixedFields(rule, input))
  if (closest)
    return ` The hook's allowed_calls fix or free other fields of this tool, but not: ${findUnlistedFields(closest, input).slice(0, FIELDS_SHOWN_MAX).join(', ')}.`
  return rules.length > 0
    ? ' The hook allows this tool only with other values in the fields that its allowed_calls fix.'
    : ''
}

/** Maximum number of fields that a message lists. */
const FIELDS_SHOWN_MAX = 5

function hasFixedFields({ fields }: AllowedCall, input: unknown): boolean {
  return Object.entries(fields).every(
    ([pointer, value]) => canonicalJson(valueAt(input, pointer) ?? null) === canonicalJson(value ?? null),
  )
}

/** JSON Pointers of the input fields that are neither fixed nor free. */
function findUnlistedFields({ fields, free }: AllowedCall, input: unknown): readonly string[] {
  const listed = new Set([...Object.keys(fields), ...free])
  const findUnder = (value: unknown, pointer: string): readonly string[] => {
    if (listed.has(pointer)) return []
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
    // An empty object is reported too, because the model chose its name. Only an empty input has no fields.
    if (children.length === 0) return pointer === '' ? [] : [pointer]
    return children.flatMap(([key, child]) => findUnder(child, `${pointer}/${escapeToken(key)}`))
  }
  return findUnder(input, '')
}
