// Calls that a hook allows: in its runs nobody is there to be asked, and these are made all the same. Of such a call nothing
// is the model's choice but what the hook lists as free.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { AllowedCall } from '../../lib/caller.ts'
import { escapeToken, valueAt } from '../../lib/json-pointer.ts'
import type { CallFacts } from '../policy.ts'

type Facts = Pick<CallFacts, 'name' | 'input' | 'allowedCalls'>

/** The hook names the tool, each field that it fixes holds just that, and there are no others but free ones. */
export function isAllowedCall({ name, input, allowedCalls }: Facts): boolean {
  return allowedCalls.some(
    (rule) => rule.tool === name && holdsFields(rule, input) && strays(rule, input).length === 0,
  )
}

/** Why a call of a tool that the hook names is not allowed, for who reads the run; empty where it names no such tool. */
export function whyNotAllowed({ name, input, allowedCalls }: Facts): string {
  const rules = allowedCalls.filter(({ tool }) => tool === name)
  const near = rules.find((rule) => holdsFields(rule, input))
  if (near)
    return ` The hook allows this call with other fields only: ${strays(near, input).slice(0, SHOWN).join(', ')} is neither fixed nor free.`
  return rules.length > 0 ? ' The hook allows this tool with other values of the fields that it fixes.' : ''
}

const SHOWN = 5

function holdsFields({ fields }: AllowedCall, input: unknown): boolean {
  return Object.entries(fields).every(
    ([pointer, value]) => canonicalJson(valueAt(input, pointer) ?? null) === canonicalJson(value ?? null),
  )
}

/** Pointers to input fields that are neither fixed nor free. */
function strays({ fields, free }: AllowedCall, input: unknown): readonly string[] {
  const known = new Set([...Object.keys(fields), ...free])
  const below = (value: unknown, pointer: string): readonly string[] => {
    if (known.has(pointer)) return []
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
    // An empty object is a field, too: its name is the model's choice. The input itself is none.
    if (inner.length === 0) return pointer === '' ? [] : [pointer]
    return inner.flatMap(([key, one]) => below(one, `${pointer}/${escapeToken(key)}`))
  }
  return below(input, '')
}
