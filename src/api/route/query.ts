// The query parameters of a path: only the names its route lists, each once. Checks no value.

import type { Failure } from '../../lib/result.ts'
import { closeNames } from '../../lib/suggest.ts'
import { cutText } from '../../lib/text.ts'
import { FIELD_ERRORS_MAX, PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'

/** The `query` of every list route. */
export const PAGE_QUERY: readonly string[] = ['limit', 'cursor']

/** An unknown name must not be ignored: `?dryrun=1` would publish. Null if all names are known. */
export function queryRefusal(url: string, known: readonly string[]): Failure | null {
  const seen = new Set<string>()
  const wrong: { readonly name: string; readonly twice: boolean }[] = []
  for (const name of new URL(url).searchParams.keys()) {
    const twice = seen.has(name)
    if (wrong.length < FIELD_ERRORS_MAX && (twice || !known.includes(name))) wrong.push({ name, twice })
    seen.add(name)
  }
  if (wrong.length === 0) return null
  const errors = wrong.map(({ name, twice }) => ({
    path: cutText(name, PAIR_KEY_MAX_CHARS),
    message: twice ? 'appears more than once in the query' : unknown(name, known),
  }))
  const problems = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const takes = known.length > 0 ? known.join(', ') : 'no query'
  return { code: 'invalid_request', detail: `${problems}. This route accepts ${takes}.`, errors }
}

function unknown(name: string, known: readonly string[]): string {
  const close = closeNames(name, known)
  const hint = close.length > 0 ? ` (did you mean ${close.join(', ')}?)` : ''
  return `is not a parameter of this route${hint}`
}
