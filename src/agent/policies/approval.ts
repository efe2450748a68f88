// Asks where the tool's own rule says so. Never looks at what is in the conversation.

import { RE2JS, RE2JSException } from 're2js'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { valueAt } from '../pointer.ts'
import { ALLOW, type CallFacts, type Verdict } from '../policy.ts'

export function approval({ approval: rule, source, preview, input }: CallFacts): Verdict {
  if (rule.ask === 'never') return ALLOW
  // Its input does not fit, so that nothing is sent and the call itself says why.
  if (source === 'http' && preview === null) return ALLOW
  if (rule.ask === 'always') return ask('The rule of this tool asks before every call.')
  const hit = (rule.when ?? []).find(({ field, matches }) => fits(valueAt(input, field), matches))
  return hit ? ask(`The rule of this tool asks where ${hit.field} matches ${hit.matches}.`) : ALLOW
}

function ask(reason: string): Verdict {
  return { do: 'ask', policy: 'approval', reason }
}

/**
 * Of what is no text its JSON counts, and each text within: one in a list may be sent as if it stood alone. A pattern that
 * cannot be read asks: it was meant to hold something up.
 */
function fits(value: unknown, pattern: string): boolean {
  if (value === undefined) return false
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    const inner = typeof value === 'object' ? leavesOf(value) : []
    return [typeof value === 'string' ? value : canonicalJson(value), ...inner].some((text) =>
      compiled.matcher(text).find(),
    )
  } catch (error) {
    if (error instanceof RE2JSException) return true
    throw error
  }
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [canonicalJson(value)]
  return Object.values(value).flatMap(leavesOf)
}
